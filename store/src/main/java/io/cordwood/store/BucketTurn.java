package io.cordwood.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.Collection;

/**
 * Which store does what is to be done in a bucket for a day, and which after that, without asking
 * each other.
 */
public final class BucketTurn {
  private BucketTurn() {}

  /**
   * How many of the other stores come before one, by rendezvous hashing. Stores that do not know
   * the same others may have the same rank; what both upload then is there twice.
   */
  public static int of(String nodeId, Collection<String> others, LocalDate day) {
    long own = hash(nodeId, day);
    return (int)
        others.stream()
            .filter(other -> !other.equals(nodeId))
            .filter(other -> isBefore(hash(other, day), other, own, nodeId))
            .count();
  }

  private static boolean isBefore(long hash, String id, long otherHash, String otherId) {
    int order = Long.compareUnsigned(hash, otherHash);
    return order != 0 ? order > 0 : id.compareTo(otherId) < 0;
  }

  private static long hash(String nodeId, LocalDate day) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((nodeId + '/' + day).getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

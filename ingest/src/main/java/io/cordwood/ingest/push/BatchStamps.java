package io.cordwood.ingest.push;

import io.cordwood.common.ulid.Ulid;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * First ULIDs of batches whose records have times of their own.
 *
 * <pre>
 *   without a key:  48 bits time │ 48 random bits of this request │ 32 bits number of the record
 *   with a key:     48 bits time │ 48 bits of the SHA-256 of key and records │ 32 bits 0
 * </pre>
 *
 * With a key the same records become the same batch again, and others never do. For one thread.
 */
final class BatchStamps {
  private static final int MILLIS_SHIFT = 16;

  private final long stream = ThreadLocalRandom.current().nextLong(1L << 48);
  private byte @Nullable [] key;
  private int number;

  void keyed(byte[] shared) {
    key = shared.clone();
  }

  Ulid stamp(long millis, int records, ByteBuffer payload) {
    if (key != null) {
      long hashed = ByteBuffer.wrap(sha256(key, payload)).getLong() >>> 16;
      return ulid(millis, hashed, 0);
    }
    Ulid first = ulid(millis, stream, number);
    number += records;
    return first;
  }

  private static Ulid ulid(long millis, long stream, int number) {
    return new Ulid(
        millis << MILLIS_SHIFT | stream >>> 32, stream << 32 | Integer.toUnsignedLong(number));
  }

  private static byte[] sha256(byte[] key, ByteBuffer payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(key.length).flip());
      digest.update(key);
      digest.update(payload.duplicate());
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }
}

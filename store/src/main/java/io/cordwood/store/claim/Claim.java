package io.cordwood.store.claim;

import io.cordwood.common.ulid.Ulid;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An ingest segment that an ingest node has leased to this store.
 *
 * @param node that has it
 * @param bytes of the whole segment
 * @param nanos when it was claimed, by {@link System#nanoTime}
 * @param lease after which the ingest node may hand it out again
 */
public record Claim(URI node, Ulid id, long bytes, long nanos, Duration lease) {

  /** Reads {@code ID BYTES}, a line of an ingest node's answer; empty if it is anything else. */
  static Optional<Claim> parse(URI node, String line, long nanos, Duration lease) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != 2 || !Ulid.isValid(words[0]) || !words[1].matches("[0-9]{1,12}")) {
      return Optional.empty();
    }
    long bytes = Long.parseLong(words[1]);
    return Optional.of(new Claim(node, Ulid.parse(words[0]), bytes, nanos, lease));
  }

  /**
   * By {@link System#nanoTime}, until when it should be settled: three quarters of the lease, since
   * what is told the ingest node after its end is too late.
   */
  long settleByNanos() {
    return nanos + lease.toNanos() / 4 * 3;
  }

  /** When all these claims can still be relied on. */
  public static long deadlineNanos(List<Claim> claims) {
    long now = System.nanoTime();
    long left = claims.stream().mapToLong(c -> c.settleByNanos() - now).min().orElse(0);
    return now + left;
  }

  /** Whether it has waited for so long that it is better given back than begun with. */
  boolean isStale() {
    return System.nanoTime() - nanos > lease.toNanos() / 3;
  }

  @Override
  public String toString() {
    return "ingest segment %s (%d bytes) of %s".formatted(id, bytes, node);
  }
}

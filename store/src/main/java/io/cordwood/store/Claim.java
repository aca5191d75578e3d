package io.cordwood.store;

import io.cordwood.common.ulid.Ulid;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * An ingest segment that an ingest node has leased to this store.
 *
 * @param node that has it
 * @param bytes of the whole segment
 * @param nanos when it was claimed, by {@link System#nanoTime}
 */
record Claim(URI node, Ulid id, long bytes, long nanos) {
  /**
   * For how long a claim can be relied on. Leases are 60 s, and 1 s more for each 4 MiB; what is
   * not settled well before its end may be another store's already.
   */
  private static final Duration SAFE = Duration.ofSeconds(45);

  private static final long SAFE_BYTES_PER_SECOND = 8 << 20;

  /** By {@link System#nanoTime}, until when it should be committed or given back. */
  long settleByNanos() {
    return nanos + SAFE.plusSeconds(bytes / SAFE_BYTES_PER_SECOND).toNanos();
  }

  /** Reads {@code ID BYTES}, an ingest node's answer; empty if it is anything else. */
  static Optional<Claim> parse(URI node, String answer, long nanos) {
    String[] words = answer.strip().split(" ", -1);
    if (words.length != 2 || !Ulid.isValid(words[0]) || !words[1].matches("[0-9]{1,12}")) {
      return Optional.empty();
    }
    return Optional.of(new Claim(node, Ulid.parse(words[0]), Long.parseLong(words[1]), nanos));
  }

  @Override
  public String toString() {
    return "ingest segment %s (%d bytes) of %s".formatted(id, bytes, node);
  }
}

package io.cordwood.ingest.segment;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a store has a segment that it claimed.
 *
 * @param length of that, for a small segment
 * @param nanoTime the clock it is measured by, as {@link System#nanoTime}
 */
record Lease(Duration length, LongSupplier nanoTime) {
  /** The rate of the slowest store that is expected; large segments get longer leases by it. */
  private static final long CONSUMED_BYTES_PER_SECOND = 4 << 20;

  long nowNanos() {
    return nanoTime.getAsLong();
  }

  /** When the lease of a segment that is claimed now runs out. */
  long endNanos(long segmentBytes) {
    long more = TimeUnit.SECONDS.toNanos(segmentBytes / CONSUMED_BYTES_PER_SECOND);
    return nowNanos() + length.toNanos() + more;
  }
}

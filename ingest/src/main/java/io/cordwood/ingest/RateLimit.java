package io.cordwood.ingest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How fast something may be read: whoever has read waits for as long as that should have taken.
 * Unused time is not saved up. Safe for all threads; those that share one wait in turn.
 */
public final class RateLimit {
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final LongSupplier nanoClock;
  private final AtomicLong paidUntilNanos;

  /**
   * @param bytesPerSecond {@link Long#MAX_VALUE} for no limit
   */
  public RateLimit(long bytesPerSecond, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
    this.paidUntilNanos = new AtomicLong(nanoClock.getAsLong());
  }

  /** How long to read nothing after a number of bytes. */
  public long nanosToWait(int bytes) {
    if (bytesPerSecond == Long.MAX_VALUE) {
      return 0;
    }
    long cost = (long) ((double) bytes / bytesPerSecond * NANOS_PER_SECOND);
    long now = nanoClock.getAsLong();
    return paidUntilNanos.updateAndGet(until -> (until - now > 0 ? until : now) + cost) - now;
  }
}

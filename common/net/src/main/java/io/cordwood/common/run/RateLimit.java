package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How fast bytes may be processed: whoever has processed some waits for as long as that should have
 * taken. Unused time is saved up to a bound. Safe for all threads; those that share one wait in
 * turn.
 */
public final class RateLimit {
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final long creditNanos;
  private final LongSupplier nanoClock;
  private final AtomicLong paidUntilNanos;

  /**
   * Saves up no time.
   *
   * @param bytesPerSecond {@link Long#MAX_VALUE} for no limit
   */
  public RateLimit(long bytesPerSecond, LongSupplier nanoClock) {
    this(bytesPerSecond, Duration.ZERO, nanoClock);
  }

  /**
   * @param bytesPerSecond {@link Long#MAX_VALUE} for no limit
   * @param credit most unused time that is saved up
   */
  public RateLimit(long bytesPerSecond, Duration credit, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.creditNanos = credit.toNanos();
    this.nanoClock = nanoClock;
    this.paidUntilNanos = new AtomicLong(nanoClock.getAsLong());
  }

  /** How long to pause after a number of bytes; not more than 0 if they were saved up for. */
  public long nanosToWait(long bytes) {
    if (bytesPerSecond == Long.MAX_VALUE) {
      return 0;
    }
    long cost = (long) ((double) bytes / bytesPerSecond * NANOS_PER_SECOND);
    long now = nanoClock.getAsLong();
    long oldest = now - creditNanos;
    return paidUntilNanos.updateAndGet(until -> (until - oldest > 0 ? until : oldest) + cost) - now;
  }
}

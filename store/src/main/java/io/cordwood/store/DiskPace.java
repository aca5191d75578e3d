package io.cordwood.store;

import io.cordwood.common.run.RateLimit;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps work on the disk from going faster than it may, and ends it when the store stops. What was
 * not used for a while is not made up for: a second of it at most. One thread.
 */
public final class DiskPace {
  /** Shorter pauses add up to one that is worth it. */
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final RateLimit rate;
  private final StopFlag stop;

  /**
   * A pace of its own.
   *
   * @param bytesPerSecond more than 0
   */
  public DiskPace(long bytesPerSecond, StopFlag stop) {
    this.rate = new RateLimit(bytesPerSecond, Duration.ofSeconds(1), System::nanoTime);
    this.stop = stop;
  }

  /**
   * Counts bytes that were processed, and waits until more may be.
   *
   * @throws InterruptedIOException if the store stops
   */
  public void add(long bytes) throws InterruptedIOException {
    long nanos = rate.nanosToWait(bytes);
    try {
      if (stop.await(Duration.ofNanos(nanos < WORTH_NANOS ? 0 : nanos))) {
        throw new InterruptedIOException("the store stops; this work is done again later");
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while waiting to go on");
    }
  }
}

package io.cordwood.store;

import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Keeps work on the disk from going faster than it may, and ends it when the store stops. What was
 * not used for a while is not made up for: a second of it at most. One thread.
 */
public final class RateLimiter {
  private static final long CHECK_BYTES = 1L << 20;
  private static final long CREDIT_NANOS = 1_000_000_000L;

  private final long bytesPerSecond;
  private final StopFlag stop;
  private long unpaid;
  private long dueNanos = System.nanoTime();

  public RateLimiter(long bytesPerSecond, StopFlag stop) {
    this.bytesPerSecond = bytesPerSecond;
    this.stop = stop;
  }

  /**
   * Counts bytes that were processed, and waits until more may be.
   *
   * @throws InterruptedIOException if the store stops
   */
  public void add(long bytes) throws InterruptedIOException {
    unpaid += bytes;
    if (unpaid >= Math.min(CHECK_BYTES, bytesPerSecond)) {
      long now = System.nanoTime();
      dueNanos =
          (now - dueNanos > CREDIT_NANOS ? now - CREDIT_NANOS : dueNanos)
              + (long) (1e9 * unpaid / bytesPerSecond);
      unpaid = 0;
      await(Math.max(dueNanos - now, 0));
    }
  }

  private void await(long nanos) throws InterruptedIOException {
    try {
      if (stop.await(Duration.ofNanos(nanos))) {
        throw new InterruptedIOException("the store stops; this work is done again later");
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while waiting to go on");
    }
  }
}

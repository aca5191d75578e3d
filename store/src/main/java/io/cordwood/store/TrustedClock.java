package io.cordwood.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time that retention goes by: the machine's, but never later than what was seen at the start
 * plus twice the time that has really passed since. A clock that jumps ahead by days so makes
 * nothing old at once, and there are as many days to notice; one that was put right is believed
 * after a while. One thread.
 */
final class TrustedClock {
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Instant start;
  private final long startNanos;

  /**
   * @param newest latest time for which there is evidence that it has passed, such as when a
   *     segment was last written
   * @param nanoTime that only ever goes on, as {@link System#nanoTime}
   */
  TrustedClock(InstantSource clock, Instant newest, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.start = earlier(clock.instant(), newest);
    this.startNanos = nanoTime.getAsLong();
  }

  Instant now() {
    var passed = Duration.ofNanos(nanoTime.getAsLong() - startNanos);
    return earlier(clock.instant(), start.plus(passed.multipliedBy(2)));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}

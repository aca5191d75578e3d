package io.cordwood.store.keep;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time that retention goes by: the machine's, but it goes on at most twice as fast as time
 * really passes. A clock that jumps ahead by days so makes nothing old at once, however long it was
 * right before, and there are as many days to notice; one that was put right is believed after a
 * while. One thread.
 */
final class TrustedClock {
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private Instant last;
  private long lastNanos;

  /**
   * @param newest latest time for which there is evidence that it has passed, such as when a
   *     segment was last written
   * @param nanoTime that only ever goes on, as {@link System#nanoTime}
   */
  TrustedClock(InstantSource clock, Instant newest, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.last = earlier(clock.instant(), newest);
    this.lastNanos = nanoTime.getAsLong();
  }

  Instant now() {
    long nanos = nanoTime.getAsLong();
    var passed = Duration.ofNanos(nanos - lastNanos);
    last = earlier(clock.instant(), last.plus(passed.multipliedBy(2)));
    lastNanos = nanos;
    return last;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}

package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * A warning that strangers can provoke, written at most once in ten seconds, or another time, with
 * the number that was held back. Any thread may use it.
 */
public final class RateLimitedLog {
  private static final Duration USUAL = Duration.ofSeconds(10);

  private final Logger logger;
  private final long intervalNanos;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong heldBack = new AtomicLong();

  public RateLimitedLog(Logger logger) {
    this(logger, USUAL);
  }

  public RateLimitedLog(Logger logger, Duration interval) {
    this.logger = logger;
    this.intervalNanos = interval.toNanos();
  }

  /** Writes {@code WHAT ABOUT: WHY}, or counts it. */
  public void warn(String what, Object about, Object why) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + intervalNanos)) {
      heldBack.incrementAndGet();
      return;
    }
    logger.warn("{} {}: {} ({} more not logged)", what, about, why, heldBack.getAndSet(0));
  }
}

package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * A warning that strangers can provoke, written at most once in ten seconds with the number that
 * was held back. Any thread may use it.
 */
public final class RateLimitedLog {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final Logger logger;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong heldBack = new AtomicLong();

  public RateLimitedLog(Logger logger) {
    this.logger = logger;
  }

  /** Writes {@code WHAT ABOUT: WHY}, or counts it. */
  public void warn(String what, Object about, Object why) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      heldBack.incrementAndGet();
      return;
    }
    logger.warn("{} {}: {} ({} more not logged)", what, about, why, heldBack.getAndSet(0));
  }
}

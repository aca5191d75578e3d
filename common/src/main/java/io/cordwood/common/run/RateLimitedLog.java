package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * A line that strangers can provoke, written at most once in ten seconds, or another time, with the
 * number that was held back. Any thread may use it.
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
    write(Level.WARN, what, about, why);
  }

  /** Writes it as news that need no action. */
  public void info(String what, Object about, Object why) {
    write(Level.INFO, what, about, why);
  }

  private void write(Level level, String what, Object about, Object why) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + intervalNanos)) {
      heldBack.incrementAndGet();
      return;
    }
    long others = heldBack.getAndSet(0);
    String more = others == 0 ? "" : " (" + others + " more not logged)";
    logger.atLevel(level).log("{} {}: {}{}", what, about, why, more);
  }
}

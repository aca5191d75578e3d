package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

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
    write(logger.atWarn(), what, about, why);
  }

  /** Writes it as news that need no action. */
  public void info(String what, Object about, Object why) {
    write(logger.atInfo(), what, about, why);
  }

  /** Writes it as a defect, with the place in the code. */
  public void error(String what, Object about, Throwable why) {
    write(logger.atError().setCause(why), what, about, why);
  }

  private void write(LoggingEventBuilder line, String what, Object about, Object why) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + intervalNanos)) {
      heldBack.incrementAndGet();
      return;
    }
    long others = heldBack.getAndSet(0);
    String more = others == 0 ? "" : " (" + others + " more not logged)";
    line.log("{} {}: {}{}", what, about, why, more);
  }
}

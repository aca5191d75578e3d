package io.cordwood.common.ulid;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Gives the batches of one connection, or of one sender, their first ULIDs, so that the batches'
 * ranges never overlap and stay in the order of arrival; also when the clock is set back by up to
 * {@link #MAX_AHEAD}. When it is set back further, it had been wrong before: what comes then gets
 * the time that it has now, which is before that of what came earlier.
 *
 * <p>The 80 bits below the time are 48 random bits, drawn once for each stamper, and a 32-bit
 * counter of records. When the counter would wrap, the time moves on by a millisecond and new
 * random bits are drawn. Not for use by several threads.
 */
public final class UlidStamper {
  private static final long COUNTER_LIMIT = 1L << 32;

  /** How long stamps may be ahead of the clock. */
  static final Duration MAX_AHEAD = Duration.ofSeconds(10);

  private final InstantSource clock;
  private long random48;
  private long lastMillis;
  private long counter;

  public UlidStamper(InstantSource clock) {
    this.clock = clock;
    this.random48 = draw();
  }

  /**
   * The first ULID of a batch; the record at position i has this ULID plus i.
   *
   * @param records of the batch, at least 1 and less than 2^31
   */
  public Ulid stamp(int records) {
    long now = clock.millis();
    if (now < lastMillis - MAX_AHEAD.toMillis()) {
      lastMillis = 0;
      random48 = draw();
      counter = 0;
    }
    lastMillis = Math.clamp(now, lastMillis, Ulid.MAX_MILLIS);
    if (counter + records > COUNTER_LIMIT) {
      lastMillis++;
      counter = 0;
      random48 = draw();
    }
    Ulid first = new Ulid(lastMillis << 16 | random48 >>> 32, random48 << 32 | counter);
    counter += records;
    return first;
  }

  private static long draw() {
    return ThreadLocalRandom.current().nextLong() >>> 16;
  }
}

package io.cordwood.common.wire;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Gives the batches of one connection, or of one sender, their first ULIDs, so that the batches'
 * ranges never overlap and stay in the order of arrival; also when the clock is set back by less
 * than a bound. When it is set back further, it had been wrong before: what comes then gets the
 * time that it has now, which is before that of what came earlier.
 *
 * <p>The 80 bits below the time are 48 random bits, drawn once for each stamper, and a 32-bit
 * counter of records. When the counter would wrap, the time moves on by a millisecond and new
 * random bits are drawn. Not for use by several threads.
 */
public final class Stamper {
  private static final long COUNTER_LIMIT = 1L << 32;
  private static final long MAX_MILLIS = (1L << 48) - 1;

  private final long maxAheadMillis;
  private final LongSupplier random;
  private long random48;
  private long lastMillis;
  private long counter;
  private long high;
  private long low;

  /**
   * @param maxAheadMillis how far stamps may be ahead of the clock
   */
  public Stamper(long maxAheadMillis) {
    this(maxAheadMillis, () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * One whose random bits come from elsewhere.
   *
   * @param random asked for 64 bits at each draw, by the thread that uses this
   */
  public Stamper(long maxAheadMillis, LongSupplier random) {
    this.maxAheadMillis = maxAheadMillis;
    this.random = random;
    this.random48 = draw();
  }

  /**
   * Makes a batch's first ULID, {@link #high} and {@link #low}; the record at position i has it
   * plus i.
   *
   * @param records of the batch, at least 1 and less than 2^31
   * @param millis the present, by a clock that may jump
   */
  public void stamp(int records, long millis) {
    if (millis < lastMillis - maxAheadMillis) {
      lastMillis = 0;
      random48 = draw();
      counter = 0;
    }
    lastMillis = Math.max(lastMillis, Math.min(millis, MAX_MILLIS));
    if (counter + records > COUNTER_LIMIT) {
      lastMillis++;
      counter = 0;
      random48 = draw();
    }
    high = lastMillis << 16 | random48 >>> 32;
    low = random48 << 32 | counter;
    counter += records;
  }

  /** The upper half of the latest stamp: 48 bits of Unix milliseconds, then random ones. */
  public long high() {
    return high;
  }

  /** Its lower half: random bits, then the counter of records. */
  public long low() {
    return low;
  }

  private long draw() {
    return random.getAsLong() >>> 16;
  }
}

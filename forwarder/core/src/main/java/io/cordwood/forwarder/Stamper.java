package io.cordwood.forwarder;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Gives a sender's batches their first ULIDs, so that the ranges of different batches never overlap
 * and stay in order, whatever the clock does.
 *
 * <p>The 80 bits below the 48 of the time are 48 random bits, drawn once for each sender, and a
 * 32-bit counter of records. When it would wrap, the time moves on by a millisecond and new bits
 * are drawn; new ones also where the time was far ahead of what it is. Guarded by the window's
 * lock.
 */
final class Stamper {
  private static final long COUNTER_LIMIT = 1L << 32;
  private static final long MAX_MILLIS = (1L << 48) - 1;

  private long random48 = draw();
  private long lastMillis;
  private long counter;

  /**
   * @param millis when the batch's first record came, by a clock that may jump
   */
  void stamp(Batch batch, long millis) {
    if (lastMillis - millis > NodeClock.MOST_OFF_MILLIS) {
      lastMillis = 0;
      counter = 0;
      random48 = draw();
    }
    lastMillis = Math.max(lastMillis, Math.min(millis, MAX_MILLIS));
    if (counter + batch.records() > COUNTER_LIMIT) {
      lastMillis++;
      counter = 0;
      random48 = draw();
    }
    batch.stamp(lastMillis << 16 | random48 >>> 32, random48 << 32 | counter);
    counter += batch.records();
  }

  private static long draw() {
    return ThreadLocalRandom.current().nextLong() >>> 16;
  }
}

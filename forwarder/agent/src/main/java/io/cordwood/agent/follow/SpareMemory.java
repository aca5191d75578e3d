package io.cordwood.agent.follow;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds out when the heap has grown in a burst that is over. The JVM's serial collector gives
 * memory back in full collections, of which it makes none for hours while little is read.
 */
final class SpareMemory {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** More than this between two looks is no calm. */
  private static final long CALM_BYTES = 16 << 20;

  /** Enough for some thousand files. */
  private static final long USUAL_BYTES = 28 << 20;

  /** Looks after which it is tried again although the heap has not grown since. */
  private static final int MOST_LOOKS = 3;

  private final LongSupplier nanoTime;
  private final LongSupplier heapBytes;
  private long lookNanos;
  private long readBefore;
  private long heapAfter = USUAL_BYTES;
  private int looks;

  /**
   * @param heapBytes how much memory the heap takes now
   */
  SpareMemory(LongSupplier nanoTime, LongSupplier heapBytes) {
    this.nanoTime = nanoTime;
    this.heapBytes = heapBytes;
    this.lookNanos = nanoTime.getAsLong() + LOOK_NANOS;
  }

  SpareMemory() {
    this(System::nanoTime, Runtime.getRuntime()::totalMemory);
  }

  /**
   * Whether memory should be given back now, which costs a tenth of a second.
   *
   * @param read the bytes that were read so far
   */
  boolean isDue(long read) {
    long now = nanoTime.getAsLong();
    if (now - lookNanos < 0) {
      return false;
    }
    lookNanos = now + LOOK_NANOS;
    boolean isCalm = read - readBefore < CALM_BYTES;
    readBefore = read;
    looks++;
    long most = looks < MOST_LOOKS ? heapAfter : USUAL_BYTES;
    return isCalm && heapBytes.getAsLong() > most + most / 4;
  }

  /** It was given back, as far as that can be. */
  void givenBack() {
    looks = 0;
    heapAfter = Math.max(USUAL_BYTES, heapBytes.getAsLong());
  }
}

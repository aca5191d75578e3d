package io.cordwood.query.gather;

import io.cordwood.common.run.ByteBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The memory in which all queries of a node hold the large frames that other nodes answered with,
 * from before they are read until they are merged. A frame that finds none waits on its connection,
 * unless nothing of its query can be given before it. For all threads.
 */
final class FrameMemory {
  private static final int PART_OF_HEAP = 8;

  private final ByteBudget held;
  private final Counter waits;

  /**
   * @param bytes for all together, but for one frame of each query
   */
  FrameMemory(long bytes, MeterRegistry meters) {
    this.held = new ByteBudget(bytes);
    this.waits = meters.counter("cordwood.query.frame.waits");
    meters.gauge("cordwood.query.frame.bytes", held, ByteBudget::heldBytes);
  }

  static FrameMemory ofHeap(MeterRegistry meters) {
    return new FrameMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, meters);
  }

  /** Counts bytes as held; false if they do not fit, and then nothing is counted. */
  boolean take(long bytes) {
    return held.take(bytes);
  }

  /** Counts bytes as held, whether they fit or not. */
  void takeAnyway(long bytes) {
    held.takeAnyway(bytes);
  }

  /** They are held no more. */
  void release(long bytes) {
    held.release(bytes);
  }

  /** A frame waits. */
  void waits() {
    waits.increment();
  }
}

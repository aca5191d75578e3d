package io.cordwood.query.gather;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory in which all queries of a node hold what other nodes answered and was not merged yet:
 * each of these partial results may have as large a part as any other. For all threads.
 */
final class MergeMemory {
  /** The most that a partial result holds, however few there are. */
  static final int MOST_EACH = 1 << 20;

  /** The bytes that it may hold, however many there are. */
  static final int LEAST_EACH = 16 << 10;

  private static final int PART_OF_HEAP = 8;

  private final long bytes;
  private final AtomicInteger partials = new AtomicInteger();

  /**
   * @param bytes for all together
   */
  MergeMemory(long bytes) {
    this.bytes = bytes;
  }

  static MergeMemory ofHeap() {
    return new MergeMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  void opened() {
    partials.incrementAndGet();
  }

  void closed(int number) {
    partials.addAndGet(-number);
  }

  /** Bytes at which a partial result is full now. */
  long each() {
    return Math.clamp(bytes / Math.max(1, partials.get()), LEAST_EACH, MOST_EACH);
  }
}

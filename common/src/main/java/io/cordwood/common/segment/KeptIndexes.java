package io.cordwood.common.segment;

import io.cordwood.common.run.SecondChance;

/**
 * The indexes of segments that stay in memory after they were read: those used lately, within a
 * number of bytes for all together. For all threads.
 */
public final class KeptIndexes {
  /** The heap taken by a block: its entry, and its column of the filter. */
  private static final int BYTES_A_BLOCK = 136;

  private static final int BYTES_A_SEGMENT = 512;

  /** The part of the heap that indexes may take, as a divisor. */
  private static final int PART = 12;

  private final SecondChance<StoreSegment> kept;

  /**
   * @param mostBytes of memory, roughly
   */
  public KeptIndexes(long mostBytes) {
    this.kept = new SecondChance<>(mostBytes);
  }

  /** Within a twelfth of the heap: 256 MiB keep those of some 160,000 blocks. */
  public static KeptIndexes ofHeap() {
    return new KeptIndexes(Runtime.getRuntime().maxMemory() / PART);
  }

  /** All of them. */
  static KeptIndexes all() {
    return new KeptIndexes(Long.MAX_VALUE);
  }

  /** Bytes of memory that they take, roughly. */
  public long bytes() {
    return kept.cost();
  }

  void keep(StoreSegment segment) {
    kept.add(segment, BYTES_A_SEGMENT + (long) BYTES_A_BLOCK * segment.totals().blocks());
  }

  void forget(StoreSegment segment) {
    kept.remove(segment);
  }
}

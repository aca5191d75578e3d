package io.cordwood.common.segment;

import io.cordwood.common.file.ClockEviction;

/**
 * The indexes and dictionaries of segments that stay in memory after they were read: those used
 * lately, within a number of bytes for all together. For all threads.
 */
public final class KeptIndexes {
  /** The heap taken by a block: its entry, its column of the filter, and where its table is. */
  private static final int BYTES_A_BLOCK = 140;

  private static final int BYTES_A_SEGMENT = 512;

  /** The part of the heap that indexes may take, as a divisor. */
  private static final int PART = 12;

  /** The part for dictionaries: they are read again for less than the blocks after them. */
  private static final int DICTIONARY_PART = 3;

  private final ClockEviction<StoreSegment> kept;
  private final ClockEviction<SegmentDictionary> dictionaries;

  /**
   * @param mostBytes of memory, roughly
   */
  public KeptIndexes(long mostBytes) {
    this.kept = new ClockEviction<>(mostBytes - mostBytes / DICTIONARY_PART);
    this.dictionaries = new ClockEviction<>(mostBytes / DICTIONARY_PART);
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
    return kept.cost() + dictionaries.cost();
  }

  void keep(StoreSegment segment) {
    kept.add(segment, BYTES_A_SEGMENT + (long) BYTES_A_BLOCK * segment.totals().blocks());
  }

  void keep(SegmentDictionary dictionary, int bytes) {
    dictionaries.add(dictionary, BYTES_A_SEGMENT + (long) bytes);
  }

  void forget(SegmentDictionary dictionary) {
    dictionaries.remove(dictionary);
  }

  void forget(StoreSegment segment) {
    kept.remove(segment);
  }
}

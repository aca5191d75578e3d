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

  private final ClockEviction<ClockEviction.Kept> indexes;
  private final ClockEviction<ClockEviction.Kept> dictionaries;

  /**
   * @param mostBytes of memory, roughly
   */
  public KeptIndexes(long mostBytes) {
    this.indexes = new ClockEviction<>(mostBytes - mostBytes / DICTIONARY_PART);
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
    return indexes.cost() + dictionaries.cost();
  }

  /**
   * Keeps the index of a segment.
   *
   * @param blocks in it
   */
  void keepIndex(ClockEviction.Kept index, int blocks) {
    indexes.add(index, BYTES_A_SEGMENT + (long) BYTES_A_BLOCK * blocks);
  }

  void forgetIndex(ClockEviction.Kept index) {
    indexes.remove(index);
  }

  void keepDictionary(ClockEviction.Kept dictionary, int bytes) {
    dictionaries.add(dictionary, BYTES_A_SEGMENT + (long) bytes);
  }

  void forgetDictionary(ClockEviction.Kept dictionary) {
    dictionaries.remove(dictionary);
  }
}

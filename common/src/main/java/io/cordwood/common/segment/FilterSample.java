package io.cordwood.common.segment;

import java.util.Arrays;

/**
 * Counts in how many of 15 blocks each key occurs: counter bit i of 64 neighbouring keys is one
 * long of plane i, so adding a block is a few logical operations for 64 keys. Not for use by
 * several threads; holds 1 MiB.
 */
final class FilterSample {
  static final int BLOCKS = 15;

  private static final int WORDS = Gram.KEYS / Long.SIZE;

  private final long[][] planes = new long[4][WORDS];

  void add(long[] keys) {
    for (int i = 0; i < WORDS; i++) {
      long carry = keys[i];
      for (long[] plane : planes) {
        long sum = plane[i] ^ carry;
        carry &= plane[i];
        plane[i] = sum;
      }
    }
  }

  /** Sets the bits of the keys that occur in at least 12 of the 15 blocks. */
  void markFrequent(long[] keys) {
    for (int i = 0; i < WORDS; i++) {
      keys[i] |= planes[3][i] & planes[2][i];
    }
  }

  void reset() {
    for (long[] plane : planes) {
      Arrays.fill(plane, 0);
    }
  }
}

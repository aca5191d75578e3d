package io.cordwood.common.segment;

import java.util.Arrays;

/**
 * Counts in how many of 15 blocks each key occurs: counter bit i of 64 neighbouring keys is one
 * long of plane i, so adding a block is a few logical operations for 64 keys. Not for use by
 * several threads; holds 1.25 MiB.
 */
final class FilterSample {
  static final int BLOCKS = 15;

  private static final int WORDS = Gram.KEYS / Long.SIZE;

  private final long[][] planes = new long[4][WORDS];
  private final long[] carry = new long[WORDS];

  void add(long[] keys) {
    addCarrying(planes[0], keys);
    for (int plane = 1; plane < planes.length; plane++) {
      addCarrying(planes[plane], carry);
    }
  }

  /** Leaves the sum in the plane, and in {@link #carry} what belongs into the next. */
  private void addCarrying(long[] plane, long[] addend) {
    long[] out = carry;
    for (int i = 0; i < WORDS; i++) {
      long had = plane[i];
      long more = addend[i];
      plane[i] = had ^ more;
      out[i] = had & more;
    }
  }

  /** How many keys occur in at least 12 of the 15 blocks. */
  int frequent() {
    int frequent = 0;
    for (int i = 0; i < WORDS; i++) {
      frequent += Long.bitCount(planes[3][i] & planes[2][i]);
    }
    return frequent;
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

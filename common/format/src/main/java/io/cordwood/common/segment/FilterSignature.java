package io.cordwood.common.segment;

import java.util.Arrays;

/**
 * One block's keys, reduced to as many rows as leave at most about half of the bits set: begun at
 * full size, then folded in half while there is so little in it. Row r of a folded signature has
 * what rows r and r + rows / 2 had. Not for use by several threads.
 */
final class FilterSignature {
  /** A signature is folded if no more of its bits are set then. */
  private static final double MAX_SET = 0.55;

  /** No signature is larger than this share of its block, but for one of the fewest rows. */
  private static final int MIN_RAW_TO_SIGNATURE = 16;

  private static final int MIN_ROWS = 512;

  private final int fullRows;
  private final long[] words;
  private int rows;

  FilterSignature(int fullRows) {
    this.fullRows = fullRows;
    this.words = new long[fullRows / Long.SIZE];
  }

  /** How often signatures with a number of rows can be folded. */
  static int maxFolds(int fullRows) {
    int folds = 0;
    while (canFold(fullRows >> folds)) {
      folds++;
    }
    return folds;
  }

  static boolean canFold(int rows) {
    return rows >= 2 * MIN_ROWS && rows % (2 * Long.SIZE) == 0;
  }

  /** The bits of a new signature, all zero and at full size, to be set. */
  long[] begin() {
    rows = fullRows;
    Arrays.fill(words, 0);
    return words;
  }

  /** Makes it as small as may be for a block of that many bytes; how often it was folded. */
  int fold(int rawBytes) {
    int folds = 0;
    while (canFold(rows) && (isTooLargeFor(rawBytes) || setWhenFolded() <= MAX_SET * rows / 2)) {
      rows /= 2;
      int half = rows / Long.SIZE;
      for (int i = 0; i < half; i++) {
        words[i] |= words[i + half];
      }
      folds++;
    }
    return folds;
  }

  private boolean isTooLargeFor(int rawBytes) {
    return (long) rows / Byte.SIZE * MIN_RAW_TO_SIGNATURE > rawBytes;
  }

  private int setWhenFolded() {
    int half = rows / Long.SIZE / 2;
    int set = 0;
    for (int i = 0; i < half; i++) {
      set += Long.bitCount(words[i] | words[i + half]);
    }
    return set;
  }
}

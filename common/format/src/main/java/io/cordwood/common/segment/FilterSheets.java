package io.cordwood.common.segment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * The signatures of a segment's blocks on sheets: one for each size that signatures are folded to.
 * When all sheets together exceed {@link #MAX_BYTES}, those that can be are folded in half. Not for
 * use by several threads.
 */
final class FilterSheets {
  /** The most bytes of all sheets; for very many small blocks, 232 bytes a block. */
  static final int MAX_BYTES = 8 << 20;

  private final FilterMatrix[] sheets;
  private final ByteArrayOutputStream sheetOf = new ByteArrayOutputStream();

  /**
   * @param fullRows of a signature that is not folded
   */
  FilterSheets(int fullRows) {
    sheets = new FilterMatrix[FilterSignature.maxFolds(fullRows) + 1];
    for (int folds = 0; folds < sheets.length; folds++) {
      sheets[folds] = new FilterMatrix(fullRows >> folds);
    }
  }

  int blocks() {
    return sheetOf.size();
  }

  /**
   * Adds the next block.
   *
   * @param signature its first words; what is after them is not looked at
   */
  void add(long[] signature, int folds) {
    sheetOf.write(folds);
    sheets[folds].add(signature);
    while (bytes() > MAX_BYTES && halve()) {
      // Until there is room, or nothing is left to be folded.
    }
  }

  private long bytes() {
    long bytes = 0;
    for (FilterMatrix sheet : sheets) {
      bytes += sheet.bytes();
    }
    return bytes;
  }

  private boolean halve() {
    boolean any = false;
    for (FilterMatrix sheet : sheets) {
      if (sheet.blocks() > 0 && FilterSignature.canFold(sheet.rows())) {
        sheet.halve();
        any = true;
      }
    }
    return any;
  }

  /** Ends the sheets; no block can be added after. */
  FilterLayout finish(FilterLayout.Digest digest) {
    int[] rows = new int[sheets.length];
    for (int i = 0; i < sheets.length; i++) {
      sheets[i].finish();
      rows[i] = sheets[i].rows();
    }
    return FilterLayout.of(rows, sheetOf.toByteArray(), digest);
  }

  void writeTo(FilterPageWriter out) throws IOException {
    for (FilterMatrix sheet : sheets) {
      sheet.writeTo(out);
    }
  }
}

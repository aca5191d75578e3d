package io.cordwood.common.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Signatures of one size, bit-sliced: a row for each hash value, a column for each block, so that a
 * query reads one short row for each gram.
 *
 * <p>Signatures wait until there are 64, then they are transposed into a group. Not for use by
 * several threads.
 */
final class FilterMatrix {
  private static final int GROUP = Long.SIZE;

  private final int signatureRows;
  private final long[][] waiting;
  private final long[] tile = new long[GROUP];
  private final List<long[]> groups = new ArrayList<>();
  private int blocks;
  private int rows;

  FilterMatrix(int signatureRows) {
    this.signatureRows = signatureRows;
    this.rows = signatureRows;
    this.waiting = new long[GROUP][signatureRows / Long.SIZE];
  }

  int blocks() {
    return blocks;
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return (long) rows * blocks / Byte.SIZE;
  }

  /** Adds the next block's signature: as many words as there are rows in it. */
  void add(long[] signature) {
    long[] next = waiting[blocks % GROUP];
    System.arraycopy(signature, 0, next, 0, next.length);
    blocks++;
    if (blocks % GROUP == 0) {
      groups.add(transposed(GROUP));
    }
  }

  /** Transposes what waits; no block can be added after. */
  void finish() {
    if (blocks > groups.size() * GROUP) {
      groups.add(transposed(blocks % GROUP));
    }
  }

  /** Folds all rows in half: row r takes what row r + rows / 2 had. */
  void halve() {
    rows /= 2;
    groups.replaceAll(this::halved);
  }

  void writeTo(FilterPageWriter out) throws IOException {
    int inLastGroup = blocks - (groups.size() - 1) * GROUP;
    for (int row = 0; row < rows && blocks > 0; row++) {
      for (int i = 0; i < groups.size() - 1; i++) {
        out.put(groups.get(i)[row], GROUP);
      }
      out.put(groups.getLast()[row], inLastGroup);
    }
  }

  private long[] halved(long[] group) {
    long[] half = Arrays.copyOf(group, rows);
    for (int row = 0; row < rows; row++) {
      half[row] |= group[row + rows];
    }
    return half;
  }

  private long[] transposed(int signatures) {
    long[] group = new long[rows];
    for (int word = 0; word < signatureRows / Long.SIZE; word++) {
      for (int i = 0; i < GROUP; i++) {
        tile[i] = i < signatures ? waiting[i][word] : 0;
      }
      transpose(tile);
      int firstRow = word * Long.SIZE % rows;
      for (int i = 0; i < GROUP; i++) {
        group[firstRow + i] |= tile[i];
      }
    }
    return group;
  }

  /** Swaps bit j of long i with bit i of long j: first halves, then quarters, then down to bits. */
  private static void transpose(long[] tile) {
    long low = 0xFFFF_FFFFL;
    for (int width = 32; width != 0; width >>= 1, low ^= low << width) {
      for (int i = 0; i < GROUP; i = (i + width + 1) & ~width) {
        long differing = ((tile[i] >>> width) ^ tile[i + width]) & low;
        tile[i] ^= differing << width;
        tile[i + width] ^= differing;
      }
    }
  }
}

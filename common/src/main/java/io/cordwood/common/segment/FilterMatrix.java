package io.cordwood.common.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The signatures of a segment's blocks, bit-sliced: a row for each hash value, a column for each
 * block, so that a query reads one short row for each gram.
 *
 * <p>Signatures wait until there are 64, then they are transposed into a group. When the groups
 * would exceed {@link #MAX_BYTES}, all rows are folded in half: row r takes what row r + rows / 2
 * had. Not for use by several threads.
 */
final class FilterMatrix {
  static final int MAX_BYTES = 8 << 20;

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

  /** The next block's signature, all zero, to be filled; it counts once {@link #add} is called. */
  long[] nextSignature() {
    long[] signature = waiting[blocks % GROUP];
    Arrays.fill(signature, 0);
    return signature;
  }

  void add() {
    blocks++;
    if (blocks % GROUP == 0) {
      group(GROUP);
    }
  }

  /** Transposes what waits; no block can be added after. */
  void finish() {
    if (blocks % GROUP != 0) {
      group(blocks % GROUP);
    }
  }

  boolean canHalve() {
    return rows % (2 * Long.SIZE) == 0;
  }

  /** Folds the groups in half. */
  void halve() {
    rows /= 2;
    groups.replaceAll(this::halved);
  }

  void writeTo(FilterPageWriter out) throws IOException {
    int inLastGroup = blocks - (groups.size() - 1) * GROUP;
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < groups.size() - 1; i++) {
        out.put(groups.get(i)[row], GROUP);
      }
      out.put(groups.getLast()[row], inLastGroup);
    }
  }

  void reset() {
    groups.clear();
    blocks = 0;
    rows = signatureRows;
  }

  private long[] halved(long[] group) {
    long[] half = Arrays.copyOf(group, rows);
    for (int row = 0; row < rows; row++) {
      half[row] |= group[row + rows];
    }
    return half;
  }

  private void group(int signatures) {
    while ((groups.size() + 1L) * rows * Long.BYTES > MAX_BYTES && canHalve()) {
      halve();
    }
    groups.add(transposed(signatures));
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

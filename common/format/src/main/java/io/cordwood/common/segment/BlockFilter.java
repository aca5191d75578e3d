package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.FilterLayout.Sheet;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The filter section of a store segment: says which blocks may contain given substrings, reading a
 * few checksummed pages where they lie and no block. It may name a block wrongly, and never leaves
 * out a block that contains what was asked for.
 *
 * <p>Letters A to Z match either case. Literals shorter than five bytes, or with no five bytes in a
 * row above 0x0A, are taken to be everywhere. So is the gram whose page is damaged, which is
 * counted. The layout is drawn on {@link FilterLayout}. Safe for many threads; holds no page.
 */
final class BlockFilter {
  private final FilterDigest digest;
  private final FilterLayout layout;
  private final LongAdder damagedReads = new LongAdder();

  private BlockFilter(ByteSource source, long offset, FilterLayout layout) {
    this.layout = layout;
    this.digest =
        new FilterDigest(
            source,
            offset,
            layout.headerBytes(),
            layout.dataBytes(),
            layout.sectionBytes(),
            layout.digest());
  }

  /**
   * Reads and checks the header.
   *
   * @param source stays open and unchanged for as long as the filter is used
   * @throws CorruptException if the section is cut, of another version, or its header is damaged
   */
  public static BlockFilter open(ByteSource source, long offset, long length) throws IOException {
    if (offset < 0 || length < FilterLayout.FIXED_BYTES || offset > source.size() - length) {
      throw new CorruptException(
          offset,
          "expected a filter within %d bytes, found length %d".formatted(source.size(), length));
    }
    return new BlockFilter(source, offset, FilterLayout.read(source, offset, length));
  }

  /** Reads the header anew of a filter of which only the digest was kept. */
  static BlockFilter open(FilterDigest digest) throws IOException {
    return open(digest.source(), digest.at(), digest.bytes());
  }

  public int blocks() {
    return layout.blocks();
  }

  /**
   * How many reads met a damaged page, and so let blocks pass unfiltered, since this was opened.
   */
  public long damagedReads() {
    return damagedReads.sum();
  }

  /** Reads the whole section and returns how many of its pages are damaged. */
  public int damagedPages() throws IOException {
    return pages().damaged();
  }

  /** Bit b is set if block b may contain, for every clause, one of its literals. */
  public BitSet candidates(List<AnyOf> required) throws IOException {
    Probe probe = new Probe();
    long[] candidates = allBlocks();
    for (AnyOf clause : required) {
      and(candidates, probe.anyOf(clause));
    }
    return BitSet.valueOf(candidates);
  }

  FilterDigest digest() {
    return digest;
  }

  private FilterPages pages() {
    return digest.pages();
  }

  private long[] allBlocks() {
    return all(layout.blocks());
  }

  private static long[] all(int bits) {
    BitSet all = new BitSet(bits);
    all.set(0, bits);
    return all.toLongArray();
  }

  private int words() {
    return (layout.blocks() + Long.SIZE - 1) / Long.SIZE;
  }

  private static void and(long[] into, long[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] &= other[i];
    }
  }

  private static boolean isEmpty(long[] bits) {
    long union = 0;
    for (long word : bits) {
      union |= word;
    }
    return union == 0;
  }

  /** The buffers of one look-up. */
  private final class Probe {
    private final FilterPages pages = pages();
    private final long[] pair = new long[2];
    private final long[] row = new long[words() + 1];

    long[] anyOf(AnyOf clause) throws IOException {
      long[] union = new long[words()];
      for (byte[] literal : clause.literals()) {
        long[] some = blocksWith(literal);
        for (int i = 0; i < union.length; i++) {
          union[i] |= some[i];
        }
      }
      return union;
    }

    private long[] blocksWith(byte[] literal) throws IOException {
      int[] keys = new int[Math.clamp(literal.length - Gram.BYTES + 1, 0, FilterDigest.MAX_GRAMS)];
      int telling = 0;
      for (int i = 0; i < keys.length; i++) {
        int key = Gram.key(literal, i);
        switch (key < 0 ? FilterDigest.Answer.UNKNOWN : digest.look(key, pages, pair)) {
          case NOWHERE -> {
            return new long[words()];
          }
          case SOMEWHERE -> keys[telling++] = key;
          case DAMAGED -> damagedReads.increment();
          case UNKNOWN -> {}
        }
      }
      return blocksWith(keys, telling);
    }

    private long[] blocksWith(int[] keys, int count) throws IOException {
      if (count == 0) {
        return allBlocks();
      }
      var blocks = new BitSet(layout.blocks());
      for (Sheet sheet : layout.sheets()) {
        long[] columns = columnsWith(keys, count, sheet);
        BitSet.valueOf(columns).stream().forEach(column -> blocks.set(sheet.blocks()[column]));
      }
      return Arrays.copyOf(blocks.toLongArray(), words());
    }

    private long[] columnsWith(int[] keys, int count, Sheet sheet) throws IOException {
      long[] columns = all(sheet.blocks().length);
      for (int i = 0; i < count && !isEmpty(columns); i++) {
        if (readRow(sheet, keys[i])) {
          and(columns, row);
        }
      }
      return columns;
    }

    /** Fills {@code row} from its first block's bit on; false if it is damaged. */
    private boolean readRow(Sheet sheet, int key) throws IOException {
      long firstBit = sheet.bitOf(key);
      int shift = (int) (firstBit % Long.SIZE);
      int length = (shift + sheet.blocks().length + Long.SIZE - 1) / Long.SIZE;
      row[row.length - 1] = 0;
      if (!read(sheet.at() + firstBit / Long.SIZE * Long.BYTES, row, length)) {
        return false;
      }
      for (int i = 0; shift > 0 && i < row.length - 1; i++) {
        row[i] = (row[i] >>> shift) | (row[i + 1] << (Long.SIZE - shift));
      }
      return true;
    }

    private boolean read(long at, long[] dst, int length) throws IOException {
      boolean intact = pages.read(at, dst, length);
      if (!intact) {
        damagedReads.increment();
      }
      return intact;
    }
  }
}

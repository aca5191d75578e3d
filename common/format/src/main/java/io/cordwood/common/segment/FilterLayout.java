package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The shape of a filter section and its header; drawn in {@code docs/format/filter.md}. All numbers
 * are little-endian.
 *
 * <pre>
 *  byte  size  header
 *     0     4  magic "CwFl"
 *     4     2  version, 2
 *     6     1  bytes of a gram, 5
 *     7     1  bits of a key, 21
 *     8     4  blocks B, 1 to 65,536
 *    12     4  sheets N, 1 to 16
 *    16     4  1 if the digest tells stop keys, else 0
 *    20     4  bits of a digest key, 18 to 21, or 0 if there is no digest
 *    24     8  bytes of the whole section
 *    32     4  CRC-32C of bytes 0 to 31
 *    36    4N  rows of each sheet, a multiple of 64
 *           B  for each block, the number of its sheet
 *           4  CRC-32C of the sheets' rows and the blocks' sheets
 *              pages: 1,024 data bytes (the last may be shorter), CRC-32C of page number and data
 * </pre>
 *
 * The pages' data is the digest, if any, then the sheets. The digest is 2^(digest key bits) / 64
 * longs, or pairs of longs if it tells stop keys: bit {@code key % 64} of number {@code key / 64}
 * says in the first long whether any block has the key, in the second whether the key is a stop
 * key, which no sheet speaks for. A sheet has a bit for each of its blocks in each of its rows:
 * that of row r and the sheet's block b is bit {@code r * blocks + b}, counted from the lowest bit
 * of the first long.
 *
 * <p>Version 1 had one sheet with all blocks, its rows in the header, and always pairs of longs.
 */
final class FilterLayout {
  static final int MAX_BLOCKS = 65_536;
  static final int FIXED_BYTES = 36;
  static final int MIN_DIGEST_KEY_BITS = 18;

  private static final int MAX_SHEETS = 16;
  private static final int MAGIC = 0x6C46_7743;
  private static final short VERSION = 2;
  private static final short VERSION_OF_ONE_SHEET = 1;
  private static final int SECTION_BYTES_AT = 24;
  private static final int CRC_AT = 32;

  private final List<Sheet> sheets;
  private final byte[] sheetOf;
  private final Digest digest;
  private final int headerBytes;

  /**
   * The digest's parameters.
   *
   * @param keyBits 0 if there is no digest
   * @param tellsStopKeys whether there are stop keys
   */
  record Digest(int keyBits, boolean tellsStopKeys) {
    /** Longs for 64 neighbouring keys. */
    int stride() {
      return tellsStopKeys ? 2 : 1;
    }

    int bytes() {
      return keyBits == 0 ? 0 : stride() * (1 << keyBits) / Byte.SIZE;
    }

    /** The position in the data of the digest's entry for a key: {@link #stride} longs. */
    int at(int key) {
      return (key & ((1 << keyBits) - 1)) / Long.SIZE * stride() * Long.BYTES;
    }
  }

  /**
   * Blocks whose signatures have the same number of rows.
   *
   * @param rows what keys are reduced by
   * @param blocks their ordinals, ascending
   * @param at where it stands in the data
   */
  record Sheet(int rows, int[] blocks, long at) {
    /** The bit of a key's row for the first of the blocks, counted from the start of the sheet. */
    long bitOf(int key) {
      return (long) (key % rows) * blocks.length;
    }

    private long bytes() {
      return (long) rows * blocks.length / Byte.SIZE;
    }
  }

  private FilterLayout(int[] rows, byte[] sheetOf, Digest digest, int headerBytes) {
    require(sheetOf.length >= 1 && sheetOf.length <= MAX_BLOCKS, "blocks", sheetOf.length);
    require(
        digest.keyBits == 0
            || (digest.keyBits >= MIN_DIGEST_KEY_BITS && digest.keyBits <= Gram.KEY_BITS),
        "bits of a digest key",
        digest.keyBits);
    this.sheetOf = sheetOf;
    this.digest = digest;
    this.headerBytes = headerBytes;
    this.sheets = sheets(rows, sheetOf, digest.bytes());
  }

  /**
   * @param rows of each sheet
   * @param sheetOf for each block, the number of its sheet
   */
  static FilterLayout of(int[] rows, byte[] sheetOf, Digest digest) {
    return new FilterLayout(rows, sheetOf, digest, headerBytes(rows.length, sheetOf.length));
  }

  private static int headerBytes(int sheets, int blocks) {
    return FIXED_BYTES + sheets * Integer.BYTES + blocks + Integer.BYTES;
  }

  private static List<Sheet> sheets(int[] rows, byte[] sheetOf, long at) {
    int[][] blocks = blocksOf(rows.length, sheetOf);
    List<Sheet> sheets = new ArrayList<>();
    long next = at;
    for (int i = 0; i < rows.length; i++) {
      require(rows[i] >= 64 && rows[i] <= Gram.KEYS && rows[i] % 64 == 0, "rows", rows[i]);
      var sheet = new Sheet(rows[i], blocks[i], next);
      sheets.add(sheet);
      next += sheet.bytes();
    }
    return List.copyOf(sheets);
  }

  private static int[][] blocksOf(int sheets, byte[] sheetOf) {
    int[] sizes = new int[sheets];
    for (byte sheet : sheetOf) {
      require(sheet >= 0 && sheet < sheets, "a sheet", sheet);
      sizes[sheet]++;
    }
    int[][] blocks = new int[sheets][];
    for (int i = 0; i < sheets; i++) {
      blocks[i] = new int[sizes[i]];
    }
    for (int block = sheetOf.length - 1; block >= 0; block--) {
      byte sheet = sheetOf[block];
      blocks[sheet][--sizes[sheet]] = block;
    }
    return blocks;
  }

  int blocks() {
    return sheetOf.length;
  }

  List<Sheet> sheets() {
    return sheets;
  }

  Digest digest() {
    return digest;
  }

  int headerBytes() {
    return headerBytes;
  }

  long dataBytes() {
    Sheet last = sheets.getLast();
    return last.at + last.bytes();
  }

  long sectionBytes() {
    return headerBytes + FilterPages.bytesWithChecksums(dataBytes());
  }

  ByteBuffer header() {
    ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(MAGIC).putShort(VERSION).put((byte) Gram.BYTES).put((byte) Gram.KEY_BITS);
    header.putInt(blocks()).putInt(sheets.size()).putInt(digest.tellsStopKeys ? 1 : 0);
    header.putInt(digest.keyBits).putLong(sectionBytes());
    seal(header);
    header.position(FIXED_BYTES);
    sheets.forEach(sheet -> header.putInt(sheet.rows));
    header.put(sheetOf);
    return header.putInt(Checksums.of(header, FIXED_BYTES, header.position() - FIXED_BYTES)).flip();
  }

  /** Puts the checksum of a header's fixed part. */
  static void seal(ByteBuffer header) {
    header.putInt(CRC_AT, Checksums.of(header, 0, CRC_AT));
  }

  /**
   * Reads a header.
   *
   * @param offset of the section in its file
   * @throws CorruptException if it is damaged, of another version, or not of a section of these
   *     bytes
   */
  static FilterLayout read(ByteSource source, long offset, long sectionBytes) throws IOException {
    ByteBuffer fixed = read(source, offset, FIXED_BYTES);
    expect(offset, "magic", MAGIC, fixed.getInt(0));
    expect(offset, "checksum", fixed.getInt(CRC_AT), Checksums.of(fixed, 0, CRC_AT));
    expect(offset, "bytes of a gram", Gram.BYTES, fixed.get(6));
    expect(offset, "bits of a key", Gram.KEY_BITS, fixed.get(7));
    expect(offset, "section bytes", sectionBytes, fixed.getLong(SECTION_BYTES_AT));
    try {
      FilterLayout layout =
          fixed.getShort(4) == VERSION_OF_ONE_SHEET
              ? withOneSheet(fixed)
              : withSheets(fixed, source, offset, sectionBytes);
      expect(offset, "section bytes by shape", layout.sectionBytes(), sectionBytes);
      return layout;
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, "filter header: " + e.getMessage());
    }
  }

  private static FilterLayout withOneSheet(ByteBuffer fixed) {
    int blocks = fixed.getInt(8);
    require(blocks >= 1 && blocks <= MAX_BLOCKS, "blocks", blocks);
    return new FilterLayout(
        new int[] {fixed.getInt(16)},
        new byte[blocks],
        new Digest(fixed.getInt(20), true),
        FIXED_BYTES);
  }

  private static FilterLayout withSheets(
      ByteBuffer fixed, ByteSource source, long offset, long sectionBytes) throws IOException {
    expect(offset, "version", VERSION, fixed.getShort(4));
    int blocks = fixed.getInt(8);
    int sheets = fixed.getInt(12);
    require(blocks >= 1 && blocks <= MAX_BLOCKS, "blocks", blocks);
    require(sheets >= 1 && sheets <= MAX_SHEETS, "sheets", sheets);
    int headerBytes = headerBytes(sheets, blocks);
    require(headerBytes <= sectionBytes, "bytes of a header", headerBytes);
    long tableAt = offset + FIXED_BYTES;
    ByteBuffer table = read(source, tableAt, headerBytes - FIXED_BYTES);
    int checked = table.limit() - Integer.BYTES;
    Checksums.check(table, 0, checked, table.getInt(checked), tableAt, "a filter's sheets");
    int[] rows = new int[sheets];
    for (int i = 0; i < sheets; i++) {
      rows[i] = table.getInt();
    }
    byte[] sheetOf = new byte[blocks];
    table.get(sheetOf);
    int tellsStopKeys = fixed.getInt(16);
    require(tellsStopKeys == 0 || tellsStopKeys == 1, "0 or 1 for stop keys", tellsStopKeys);
    return of(rows, sheetOf, new Digest(fixed.getInt(20), tellsStopKeys == 1));
  }

  private static ByteBuffer read(ByteSource source, long at, int bytes) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(bytes);
    source.read(read, at);
    return read.flip().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void expect(long offset, String what, long expected, long found)
      throws CorruptException {
    if (expected != found) {
      throw new CorruptException(
          offset, "expected a filter with %s %d, found %d".formatted(what, expected, found));
    }
  }

  private static void require(boolean holds, String what, long found) {
    if (!holds) {
      throw new IllegalArgumentException("found %s %d".formatted(what, found));
    }
  }
}

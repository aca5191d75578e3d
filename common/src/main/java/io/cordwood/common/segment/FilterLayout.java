package io.cordwood.common.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The shape of a filter section and its header; drawn in {@code docs/format/filter.md}. All numbers
 * are little-endian.
 *
 * <pre>
 *  byte  size  header
 *     0     4  magic "CwFl"
 *     4     2  version, 1
 *     6     1  bytes of a gram, 5
 *     7     1  bits of a key, 21
 *     8     4  blocks, 1 to 65,536
 *    12     4  rows of a signature, before they were folded: a multiple of 64, at most 2^21
 *    16     4  rows: rows of a signature divided by a power of two, a multiple of 64
 *    20     4  bits of a digest key, 18 to 21, or 0 if there is no digest
 *    24     8  bytes of the whole section
 *    32     4  CRC-32C of bytes 0 to 31
 *    36        pages: 1,024 data bytes (the last may be shorter), CRC-32C of page number and data
 * </pre>
 *
 * The pages' data is the digest, if any, then the matrix. The digest is 2^(digest key bits) / 64
 * pairs of longs: bit {@code key % 64} of pair {@code key / 64} says in the first long whether any
 * block has the key, in the second whether the key is a stop key, which no matrix row speaks for.
 * The matrix has a bit for each block in each row: that of row r and block b is bit {@code r *
 * blocks + b}, counted from the lowest bit of the first long.
 *
 * @param signatureRows what keys are reduced by first
 * @param rows what keys are reduced by then
 * @param digestKeyBits 0 if there is no digest
 */
record FilterLayout(int blocks, int signatureRows, int rows, int digestKeyBits) {
  static final int MAX_BLOCKS = 65_536;
  static final int HEADER_BYTES = 36;
  static final int MIN_DIGEST_KEY_BITS = 18;

  private static final int MAGIC = 0x6C46_7743;
  private static final short VERSION = 1;
  private static final int SECTION_BYTES_AT = 24;
  private static final int CRC_AT = 32;

  FilterLayout {
    require(blocks >= 1 && blocks <= MAX_BLOCKS, "blocks", blocks);
    require(
        signatureRows >= 64 && signatureRows <= Gram.KEYS && signatureRows % 64 == 0,
        "rows of a signature",
        signatureRows);
    require(rows >= 64 && rows % 64 == 0 && signatureRows % rows == 0, "rows", rows);
    require(
        digestKeyBits == 0
            || (digestKeyBits >= MIN_DIGEST_KEY_BITS && digestKeyBits <= Gram.KEY_BITS),
        "bits of a digest key",
        digestKeyBits);
  }

  int row(int key) {
    return key % signatureRows % rows;
  }

  int digestBytes() {
    return digestKeyBits == 0 ? 0 : 2 * (1 << digestKeyBits) / Byte.SIZE;
  }

  /** Where in the data the pair of longs lies that the digest has for a key. */
  int digestPairAt(int key) {
    return (key & ((1 << digestKeyBits) - 1)) / Long.SIZE * 2 * Long.BYTES;
  }

  /** The matrix bit of a row's first block. */
  long rowAt(int row) {
    return (long) row * blocks;
  }

  long dataBytes() {
    return digestBytes() + (long) rows * blocks / Byte.SIZE;
  }

  long sectionBytes() {
    return HEADER_BYTES + FilterPages.bytesWithChecksums(dataBytes());
  }

  ByteBuffer header() {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(MAGIC).putShort(VERSION).put((byte) Gram.BYTES).put((byte) Gram.KEY_BITS);
    header.putInt(blocks).putInt(signatureRows).putInt(rows).putInt(digestKeyBits);
    seal(header.putLong(sectionBytes()));
    return header.rewind();
  }

  /** Puts the checksum of a header's other fields. */
  static void seal(ByteBuffer header) {
    header.putInt(CRC_AT, Checksums.of(header, 0, CRC_AT));
  }

  /**
   * Reads a header.
   *
   * @param offset of the section in its file, for the message
   * @throws CorruptException if it is damaged, of another version, or not of a section of these
   *     bytes
   */
  static FilterLayout of(ByteBuffer header, long offset, long sectionBytes)
      throws CorruptException {
    header.order(ByteOrder.LITTLE_ENDIAN);
    expect(offset, "magic", MAGIC, header.getInt(0));
    expect(offset, "checksum", header.getInt(CRC_AT), Checksums.of(header, 0, CRC_AT));
    expect(offset, "version", VERSION, header.getShort(4));
    expect(offset, "bytes of a gram", Gram.BYTES, header.get(6));
    expect(offset, "bits of a key", Gram.KEY_BITS, header.get(7));
    expect(offset, "section bytes", sectionBytes, header.getLong(SECTION_BYTES_AT));
    try {
      FilterLayout layout =
          new FilterLayout(
              header.getInt(8), header.getInt(12), header.getInt(16), header.getInt(20));
      expect(offset, "section bytes by shape", layout.sectionBytes(), sectionBytes);
      return layout;
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, "filter header: " + e.getMessage());
    }
  }

  private static void expect(long offset, String what, long expected, long found)
      throws CorruptException {
    if (expected != found) {
      throw new CorruptException(
          offset, "expected a filter with %s %d, found %d".formatted(what, expected, found));
    }
  }

  private static void require(boolean holds, String what, int found) {
    if (!holds) {
      throw new IllegalArgumentException(what + " out of bounds: " + found);
    }
  }
}

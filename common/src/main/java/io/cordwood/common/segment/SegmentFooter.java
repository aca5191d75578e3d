package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.nio.ByteBuffer;

/**
 * The end of a store segment. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 46
 *   4   4  version   1
 *   8   8  offset of the index
 *  16   8  length of the index
 *  24   8  offset of the filter
 *  32   8  length of the filter
 *  40   8  records
 *  48   8  payload   bytes of all records with their delimiters
 *  56  16  first     ULID of the first record
 *  72  16  last      ULID of the last record
 *  88   4  0
 *  92   4  checksum  CRC-32C of bytes 0 to 91
 * </pre>
 */
record SegmentFooter(
    long indexOffset,
    long indexBytes,
    long filterOffset,
    long filterBytes,
    long records,
    long payloadBytes,
    UlidRange range) {
  static final int BYTES = 96;

  private static final int MAGIC = 0xFD435746;
  private static final int VERSION = 1;
  private static final int CHECKSUM_AT = 92;

  ByteBuffer encode() {
    var bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(VERSION);
    bytes.putLong(indexOffset).putLong(indexBytes).putLong(filterOffset).putLong(filterBytes);
    bytes.putLong(records).putLong(payloadBytes);
    range.from().put(bytes, 56);
    range.to().put(bytes, 72);
    return bytes.putInt(CHECKSUM_AT, Checksums.of(bytes, 0, CHECKSUM_AT)).clear();
  }

  /**
   * Reads the footer, which fills the buffer.
   *
   * @param offset of the footer in its file; index and filter must lie before it
   */
  static SegmentFooter decode(ByteBuffer bytes, long offset) throws CorruptException {
    if (bytes.getInt(0) != MAGIC || bytes.getInt(4) != VERSION) {
      throw new CorruptException(
          offset,
          "expected a segment's footer FD435746 00000001, found %08X %08X"
              .formatted(bytes.getInt(0), bytes.getInt(4)));
    }
    Checksums.check(bytes, 0, CHECKSUM_AT, bytes.getInt(CHECKSUM_AT), offset, "a segment's footer");
    Ulid first = Ulid.get(bytes, 56);
    Ulid last = Ulid.get(bytes, 72);
    var footer =
        new SegmentFooter(
            bytes.getLong(8),
            bytes.getLong(16),
            bytes.getLong(24),
            bytes.getLong(32),
            bytes.getLong(40),
            bytes.getLong(48),
            new UlidRange(first, last.isBefore(first) ? first : last));
    if (footer.filterOffset + footer.filterBytes != footer.indexOffset
        || footer.indexOffset + footer.indexBytes != offset
        || footer.indexBytes > SegmentIndex.MAX_BYTES) {
      throw new CorruptException(offset, "expected filter, index and footer in a row: " + footer);
    }
    return footer;
  }
}

package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.nio.ByteBuffer;

/**
 * The end of a store segment. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 46
 *   4   4  version   that of the header
 *   8   8  offset of the index
 *  16   8  length of the index
 *  24   8  offset of the filter
 *  32   8  length of the filter
 *  40   8  records
 *  48   8  payload   bytes of all records with their delimiters
 *  56  16  first     ULID of the first record
 *  72  16  last      ULID of the last record
 *  88   4  length of the dictionary before the blocks, and of the one after them; 0 if it is not settled
 *  92   4  checksum  CRC-32C of bytes 0 to 91
 * </pre>
 *
 * In version 3 the list of batches is what stands between index and footer.
 */
record SegmentFooter(
    Part index,
    Part filter,
    long records,
    long payloadBytes,
    UlidRange range,
    int dictionaryBytes,
    int version) {
  static final int BYTES = 96;

  private static final int MAGIC = 0xFD435746;
  private static final int CHECKSUM_AT = 92;

  /** A part of the file. */
  record Part(long offset, long bytes) {
    long end() {
      return offset + bytes;
    }
  }

  /** Position of the list of batches, which goes on to the footer. */
  long batchesOffset() {
    return index.end();
  }

  /** That of the same segment without the list of batches, as versions 1 and 2 have it. */
  SegmentFooter withoutBatches() {
    return new SegmentFooter(
        index,
        filter,
        records,
        payloadBytes,
        range,
        dictionaryBytes,
        dictionaryBytes == 0
            ? StoreSegmentHeader.VERSION_PLAIN
            : StoreSegmentHeader.VERSION_SETTLED);
  }

  ByteBuffer encode() {
    var bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(version);
    bytes.putLong(index.offset).putLong(index.bytes);
    bytes.putLong(filter.offset).putLong(filter.bytes);
    bytes.putLong(records).putLong(payloadBytes);
    range.from().put(bytes, 56);
    range.to().put(bytes, 72);
    bytes.putInt(88, dictionaryBytes);
    return bytes.putInt(CHECKSUM_AT, Checksums.of(bytes, 0, CHECKSUM_AT)).clear();
  }

  /**
   * Reads the footer, which fills the buffer.
   *
   * @param offset of the footer in its file; list, index and filter must lie before it
   * @param version that the header has
   */
  static SegmentFooter decode(ByteBuffer bytes, long offset, int version) throws CorruptException {
    if (bytes.getInt(0) != MAGIC || bytes.getInt(4) != version) {
      throw new CorruptException(
          offset,
          "expected a segment's footer FD435746 %08X, found %08X %08X"
              .formatted(version, bytes.getInt(0), bytes.getInt(4)));
    }
    Checksums.check(bytes, 0, CHECKSUM_AT, bytes.getInt(CHECKSUM_AT), offset, "a segment's footer");
    Ulid first = Ulid.get(bytes, 56);
    Ulid last = Ulid.get(bytes, 72);
    var footer =
        new SegmentFooter(
            new Part(bytes.getLong(8), bytes.getLong(16)),
            new Part(bytes.getLong(24), bytes.getLong(32)),
            bytes.getLong(40),
            bytes.getLong(48),
            new UlidRange(first, last.isBefore(first) ? first : last),
            bytes.getInt(88),
            version);
    long batches = offset - footer.batchesOffset();
    long most = version == StoreSegmentHeader.VERSION ? BatchSection.MAX_BYTES : 0;
    if (footer.filter.end() != footer.index.offset
        || batches < 0
        || batches > most
        || footer.index.bytes > SegmentIndex.MAX_BYTES) {
      throw new CorruptException(offset, "expected filter, index and footer in a row: " + footer);
    }
    footer.checkDictionary(offset);
    return footer;
  }

  private void checkDictionary(long offset) throws CorruptException {
    int most = SegmentDictionary.HEAD_BYTES + SegmentDictionary.MAX_STORED_BYTES;
    boolean fits = version == StoreSegmentHeader.VERSION || withoutBatches().version == version;
    if (dictionaryBytes < 0 || dictionaryBytes > most || !fits) {
      throw new CorruptException(
          offset,
          "expected a dictionary in a settled segment only, found one of %d bytes in version %d"
              .formatted(dictionaryBytes, version));
    }
  }
}

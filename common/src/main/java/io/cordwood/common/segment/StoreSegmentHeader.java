package io.cordwood.common.segment;

import java.nio.ByteBuffer;

/**
 * The start of a store segment. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 53
 *   4   4  version   1
 *   8   4  0
 *  12   4  checksum  CRC-32C of bytes 0 to 11
 * </pre>
 */
final class StoreSegmentHeader {
  static final int BYTES = 16;

  private static final int MAGIC = 0xFD435753;
  private static final int VERSION = 1;
  private static final int CHECKSUM_AT = 12;

  private StoreSegmentHeader() {}

  static ByteBuffer encode() {
    var bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(VERSION);
    return bytes.putInt(CHECKSUM_AT, Checksums.of(bytes, 0, CHECKSUM_AT)).clear();
  }

  static void check(ByteBuffer bytes) throws CorruptException {
    if (bytes.getInt(0) != MAGIC || bytes.getInt(4) != VERSION) {
      throw new CorruptException(
          0,
          "expected a store segment's magic and version FD435753 00000001, found %08X %08X"
              .formatted(bytes.getInt(0), bytes.getInt(4)));
    }
    Checksums.check(bytes, 0, CHECKSUM_AT, bytes.getInt(CHECKSUM_AT), 0, "a segment's header");
  }
}

package io.cordwood.common.segment;

import io.cordwood.common.wire.CorruptException;
import java.nio.ByteBuffer;

/**
 * The start of a store segment. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 53
 *   4   4  version   3; of before: 1, or 2 if the segment is settled
 *   8   4  0
 *  12   4  checksum  CRC-32C of bytes 0 to 11
 * </pre>
 */
final class StoreSegmentHeader {
  static final int BYTES = 16;

  private static final int MAGIC = 0xFD435753;

  /** Without a list of batches, and without a dictionary. */
  static final int VERSION_PLAIN = 1;

  /** Without a list of batches, and with a dictionary. */
  static final int VERSION_SETTLED = 2;

  /** With a list of batches, and perhaps with a dictionary. */
  static final int VERSION = 3;

  private static final int CHECKSUM_AT = 12;

  private StoreSegmentHeader() {}

  static ByteBuffer encode(int version) {
    var bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(version);
    return bytes.putInt(CHECKSUM_AT, Checksums.of(bytes, 0, CHECKSUM_AT)).clear();
  }

  /** Reads a header; its version. */
  static int check(ByteBuffer bytes) throws CorruptException {
    int version = bytes.getInt(4);
    if (bytes.getInt(0) != MAGIC || version < VERSION_PLAIN || version > VERSION) {
      throw new CorruptException(
          0,
          "expected a store segment's magic FD435753 and version 1 to 3, found %08X %08X"
              .formatted(bytes.getInt(0), version));
    }
    Checksums.check(bytes, 0, CHECKSUM_AT, bytes.getInt(CHECKSUM_AT), 0, "a segment's header");
    return version;
  }
}

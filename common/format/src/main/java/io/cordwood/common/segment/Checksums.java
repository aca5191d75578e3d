package io.cordwood.common.segment;

import io.cordwood.common.wire.CorruptException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C, the checksum of all formats. */
final class Checksums {
  private Checksums() {}

  /** The checksum of some bytes of a buffer; its position does not move. */
  static int of(ByteBuffer bytes, int index, int length) {
    var crc = new CRC32C();
    crc.update(bytes.slice(index, length));
    return (int) crc.getValue();
  }

  /**
   * @param offset of the checked bytes in their file, for the message
   * @throws CorruptException if the bytes do not have the checksum
   */
  static void check(ByteBuffer bytes, int index, int length, int expected, long offset, String what)
      throws CorruptException {
    int found = of(bytes, index, length);
    if (found != expected) {
      throw new CorruptException(
          offset, "expected %s with checksum %08x, found %08x".formatted(what, expected, found));
    }
  }
}

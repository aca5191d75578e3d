package io.cordwood.common.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The start of an ingest segment, and of a sender's spool file; batches follow, of any topics, in
 * the order of their arrival. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FC 43 57 49
 *   4   1  version   1
 *   5   3  0
 *   8  16  id        a ULID made for this file: its name, and its identity wherever it is copied
 *  24   4  0
 *  28   4  checksum  CRC-32C of bytes 0 to 27
 * </pre>
 *
 * @param high of the id
 * @param low of the id
 */
public record IngestHeader(long high, long low) {
  public static final int BYTES = 32;
  public static final int MAGIC = 0xFC435749;

  private static final int VERSION_AND_ZEROS = 0x01000000;
  private static final int CHECKSUM_AT = 28;

  /** The header's bytes, to be read from position 0. */
  public ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(VERSION_AND_ZEROS);
    bytes.putLong(high).putLong(low);
    return bytes.putInt(CHECKSUM_AT, checksum(bytes)).clear();
  }

  /**
   * Reads and checks the header at the start of a buffer.
   *
   * @throws CorruptException if it is none
   */
  public static IngestHeader parse(ByteBuffer bytes) throws CorruptException {
    if (bytes.getInt(0) != MAGIC || bytes.getInt(4) != VERSION_AND_ZEROS) {
      throw new CorruptException(
          0,
          "expected an ingest segment's magic and version FC435749 01000000, found %08X %08X"
              .formatted(bytes.getInt(0), bytes.getInt(4)));
    }
    int expected = bytes.getInt(CHECKSUM_AT);
    int found = checksum(bytes);
    if (found != expected) {
      throw new CorruptException(
          0,
          "expected an ingest segment's header with checksum %08x, found %08x"
              .formatted(expected, found));
    }
    return new IngestHeader(bytes.getLong(8), bytes.getLong(16));
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, CHECKSUM_AT));
    return (int) crc.getValue();
  }
}

package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The start of an ingest segment; batches follow, of any topics, in the order of their arrival.
 * Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FC 43 57 49
 *   4   1  version   1
 *   5   3  0
 *   8  16  id        a ULID made for this file: its name, and its identity wherever it is copied
 *  24   4  0
 *  28   4  checksum  CRC-32C of bytes 0 to 27
 * </pre>
 */
public record IngestSegmentHeader(Ulid id) {
  public static final int BYTES = 32;

  private static final int MAGIC = 0xFC435749;
  private static final int VERSION_AND_ZEROS = 0x01000000;
  private static final int CHECKSUM_AT = 28;

  /** The header's bytes, to be read from position 0. */
  public ByteBuffer encode() {
    var bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(VERSION_AND_ZEROS);
    id.put(bytes, 8);
    return bytes.putInt(CHECKSUM_AT, Checksums.of(bytes, 0, CHECKSUM_AT)).clear();
  }

  /**
   * Reads and checks the header at the start of a source.
   *
   * @throws CorruptException if it is none
   */
  public static IngestSegmentHeader read(ByteSource source) throws IOException {
    if (source.size() < BYTES) {
      throw new CorruptException(
          0, "expected an ingest segment's header of 32 bytes, found " + source.size());
    }
    var bytes = ByteBuffer.allocate(BYTES);
    source.read(bytes, 0);
    if (bytes.getInt(0) != MAGIC || bytes.getInt(4) != VERSION_AND_ZEROS) {
      throw new CorruptException(
          0,
          "expected an ingest segment's magic and version FC435749 01000000, found %08X %08X"
              .formatted(bytes.getInt(0), bytes.getInt(4)));
    }
    Checksums.check(
        bytes, 0, CHECKSUM_AT, bytes.getInt(CHECKSUM_AT), 0, "an ingest segment's header");
    return new IngestSegmentHeader(Ulid.get(bytes, 8));
  }

  /** A scanner of the batches after the header. */
  public static BatchScanner scan(ByteSource source) throws IOException {
    return new BatchScanner(source, BYTES);
  }
}

package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.IngestHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The start of an ingest segment, as {@link IngestHeader} draws it.
 *
 * @param id its name, and its identity wherever it is copied
 */
public record IngestSegmentHeader(Ulid id) {
  public static final int BYTES = IngestHeader.BYTES;

  /** The header's bytes, to be read from position 0. */
  public ByteBuffer encode() {
    return new IngestHeader(id.high(), id.low()).encode();
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
    IngestHeader header = IngestHeader.parse(bytes);
    return new IngestSegmentHeader(new Ulid(header.high(), header.low()));
  }

  /** A scanner of the batches after the header. */
  public static BatchScanner scan(ByteSource source) throws IOException {
    return new BatchScanner(source::read, BYTES, source.size());
  }
}

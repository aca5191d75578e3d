package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.nio.ByteBuffer;

/**
 * Consecutive records received together and stamped with one first ULID: the unit of identity,
 * order, checksum, transfer and de-duplication. Once stamped it is never cut, joined or altered.
 *
 * @param payload the records, each ended by the delimiter, from position to limit; a view that the
 *     reader which gave it may reuse, so keep a batch only as long as that reader says
 */
public record Batch(Topic topic, Delimiter delimiter, Ulid first, int records, ByteBuffer payload) {

  /**
   * Reads one whole batch and checks everything: fields, checksum, topic, the count of records and
   * the last delimiter.
   *
   * @param index where the batch begins in the buffer; the buffer holds at least {@code
   *     header.batchBytes()} from there
   * @param offset where it begins in its file or stream, for the message
   * @throws CorruptException if anything is not as the header says
   */
  public static Batch read(BatchHeader header, ByteBuffer bytes, int index, long offset)
      throws CorruptException {
    ByteBuffer payload =
        bytes.slice(index + BatchHeader.BYTES + header.topicBytes(), header.payloadBytes());
    int checksum = BatchHeader.checksum(bytes, index, header.topicBytes(), payload);
    if (checksum != header.checksum()) {
      throw new CorruptException(
          offset,
          "expected a batch with checksum %08x, found %08x".formatted(header.checksum(), checksum));
    }
    byte[] name = new byte[header.topicBytes()];
    bytes.get(index + BatchHeader.BYTES, name);
    return checked(header, name, payload, offset);
  }

  private static Batch checked(BatchHeader header, byte[] name, ByteBuffer payload, long offset)
      throws CorruptException {
    Delimiter delimiter = header.delimiter();
    int found = delimiter.countIn(payload);
    if (found != header.records()) {
      throw new CorruptException(
          offset, "expected %d records, found %d delimiters".formatted(header.records(), found));
    }
    if (payload.get(payload.limit() - 1) != delimiter.value()) {
      throw new CorruptException(
          offset, "expected the delimiter %s at the payload's end".formatted(delimiter));
    }
    try {
      return new Batch(Topic.of(name), delimiter, header.first(), header.records(), payload);
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, String.valueOf(e.getMessage()));
    }
  }

  /** The ULIDs of the first and of the last record. */
  public UlidRange range() {
    return new UlidRange(first, first.plus(records - 1L));
  }

  /** The batch as it stands on the wire and on the disk. */
  public ByteBuffer encode() {
    ByteBuffer head = BatchHeader.encode(topic, delimiter, first, records, payload);
    return ByteBuffer.allocate(head.remaining() + payload.remaining())
        .put(head)
        .put(payload.duplicate())
        .flip();
  }
}

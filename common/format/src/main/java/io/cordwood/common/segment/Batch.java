package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Consecutive records received together and stamped with one first ULID: the unit of identity,
 * order, checksum, transfer and de-duplication. Once stamped it is never joined or altered, and cut
 * only when some of its records are deleted.
 *
 * @param payload the records, each ended by the delimiter, from position to limit; a view that the
 *     reader which gave it may reuse, so keep a batch only as long as that reader says
 */
public record Batch(
    Topic topic, Labels labels, Delimiter delimiter, Ulid first, int records, ByteBuffer payload)
    implements BatchIdentity {

  /** This batch with other labels. */
  public Batch labelled(Labels others) {
    return new Batch(topic, others, delimiter, first, records, payload);
  }

  /** One without labels. */
  public Batch(Topic topic, Delimiter delimiter, Ulid first, int records, ByteBuffer payload) {
    this(topic, Labels.NONE, delimiter, first, records, payload);
  }

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
        bytes.slice(index + BatchHeader.BYTES + header.originBytes(), header.payloadBytes());
    header.check(bytes, index, offset, payload);
    return of(header, header.origin(bytes, index, offset), payload);
  }

  /** The batch that a scanner has found and checked; its payload is valid as long as that is. */
  public static Batch of(BatchScanner.Intact found) {
    BatchHeader header = found.header();
    ByteBuffer payload =
        found.bytes().slice(BatchHeader.BYTES + header.originBytes(), header.payloadBytes());
    return of(header, found.origin(), payload);
  }

  private static Batch of(BatchHeader header, Origin origin, ByteBuffer payload) {
    return new Batch(
        new Topic(origin.topic()),
        origin.labels(),
        header.delimiter(),
        Ulid.firstOf(header),
        header.records(),
        payload);
  }

  @Override
  public long labelsIdentity() {
    return labels.identity();
  }

  /** The ULIDs of the first and of the last record. */
  public UlidRange range() {
    return UlidRange.of(first, records);
  }

  /**
   * The rest of it without some records: each run of neighbours as a batch, in their order; views
   * of its payload.
   */
  public List<Batch> without(LeftOut leftOut) {
    return CutBatch.runs(this, leftOut);
  }

  /** The batch as it stands on the wire and on the disk. */
  public ByteBuffer encode() {
    ByteBuffer head = head(origin(), delimiter, first, records, payload);
    return ByteBuffer.allocate(head.remaining() + payload.remaining())
        .put(head)
        .put(payload.duplicate())
        .flip();
  }

  /** Topic and labels, as they stand in its head. */
  public Origin origin() {
    return new Origin(topic.name(), labels);
  }

  /**
   * Writes a batch's fixed part and its origin, with the checksum over the payload, ready to be
   * followed by the payload.
   *
   * @param payload one or more buffers that hold the payload; their positions do not move
   * @return a buffer to be read from position 0; heap
   */
  public static ByteBuffer head(
      Origin origin, Delimiter delimiter, Ulid first, int records, ByteBuffer... payload) {
    byte[] encoded = origin.bytes();
    ByteBuffer bytes = ByteBuffer.allocate(BatchHeader.BYTES + encoded.length);
    BatchHeader.write(bytes, encoded, delimiter, first.high(), first.low(), records, payload);
    return bytes;
  }

  /** That of a batch without labels. */
  public static ByteBuffer head(
      Topic topic, Delimiter delimiter, Ulid first, int records, ByteBuffer... payload) {
    return head(new Origin(topic.name(), Labels.NONE), delimiter, first, records, payload);
  }
}

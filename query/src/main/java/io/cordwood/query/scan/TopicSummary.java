package io.cordwood.query.scan;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.result.AnswerFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A summary of some blocks of a topic. As bytes, big endian: last ULID 16, records 8, bytes 8.
 *
 * @param bytes of records before compression, with their delimiters
 */
public record TopicSummary(Topic topic, UlidRange range, long records, long bytes) {
  private static final int BYTES = Ulid.BYTES + 2 * Long.BYTES;

  static TopicSummary of(BlockInfo block) {
    return new TopicSummary(block.topic(), block.range(), block.records(), block.payloadBytes());
  }

  /** Both together. */
  public TopicSummary plus(TopicSummary other) {
    return new TopicSummary(
        topic, range.union(other.range), records + other.records, bytes + other.bytes);
  }

  byte[] encode() {
    var encoded = ByteBuffer.allocate(BYTES);
    range.to().put(encoded, 0);
    return encoded.position(Ulid.BYTES).putLong(records).putLong(bytes).array();
  }

  /**
   * Reads what {@link #encode} writes.
   *
   * @param first ULID
   * @throws AnswerFormatException if the bytes are not those of a summary
   */
  public static TopicSummary decode(Topic topic, Ulid first, ByteBuffer bytes) throws IOException {
    if (bytes.remaining() != BYTES) {
      throw new AnswerFormatException(
          "expected a topic's summary of %d bytes, found %d".formatted(BYTES, bytes.remaining()));
    }
    var encoded = bytes.slice();
    Ulid last = Ulid.get(encoded, 0);
    long records = encoded.getLong(Ulid.BYTES);
    long size = encoded.getLong(Ulid.BYTES + Long.BYTES);
    if (last.isBefore(first) || records < 0 || size < 0) {
      throw new AnswerFormatException("expected a topic's summary, found " + first + " to " + last);
    }
    return new TopicSummary(topic, new UlidRange(first, last), records, size);
  }
}

package io.cordwood.query.scan;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.FirstForm;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.result.AnswerFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The index entry of one block. As bytes, big endian: last ULID 16, records 4, batches 4, raw bytes
 * 4, stored bytes 4, checksum of the stored body 4; both as the block was stored at first.
 *
 * @param storedBytes 0 if the block is not stored as one, so that it has no checksum
 */
public record BlockSummary(
    Topic topic,
    UlidRange range,
    int records,
    int batches,
    int rawBytes,
    int storedBytes,
    int checksum) {
  private static final int BYTES = Ulid.BYTES + 5 * Integer.BYTES;

  static BlockSummary of(Segment segment, BlockInfo block) throws IOException {
    var firstForm = segment.firstForm(block);
    return new BlockSummary(
        block.topic(),
        block.range(),
        block.records(),
        block.batches(),
        block.rawBytes(),
        firstForm.map(FirstForm::bytes).orElse(0),
        firstForm.map(FirstForm::checksum).orElse(0));
  }

  /** Whether both were the same bytes on a disk, so that they hold the same batches. */
  public boolean isCopyOf(BlockSummary other) {
    return storedBytes > 0 && equals(other);
  }

  byte[] encode() {
    var encoded = ByteBuffer.allocate(BYTES);
    range.to().put(encoded, 0);
    encoded.position(Ulid.BYTES).putInt(records).putInt(batches);
    return encoded.putInt(rawBytes).putInt(storedBytes).putInt(checksum).array();
  }

  /**
   * Reads what {@link #encode} writes.
   *
   * @param first ULID
   * @throws AnswerFormatException if the bytes are not those of a summary
   */
  public static BlockSummary decode(Topic topic, Ulid first, ByteBuffer bytes) throws IOException {
    if (bytes.remaining() != BYTES) {
      throw new AnswerFormatException(
          "expected a block's summary of %d bytes, found %d".formatted(BYTES, bytes.remaining()));
    }
    var encoded = bytes.slice();
    Ulid last = Ulid.get(encoded, 0);
    encoded.position(Ulid.BYTES);
    int records = encoded.getInt();
    if (last.isBefore(first) || records < 1) {
      throw new AnswerFormatException("expected a block's summary, found " + first + " to " + last);
    }
    return new BlockSummary(
        topic,
        new UlidRange(first, last),
        records,
        encoded.getInt(),
        encoded.getInt(),
        encoded.getInt(),
        encoded.getInt());
  }
}

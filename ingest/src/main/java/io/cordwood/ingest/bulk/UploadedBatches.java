package io.cordwood.ingest.bulk;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.sender.ClockSkew;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Takes an upload's batches, which its sender stamped, as {@code BatchReader} does a connection's:
 * each is checked as a whole and written as it is, unless its time is far from this node's clock.
 */
final class UploadedBatches implements UploadReader {
  private final UploadTarget target;
  private final IngestMetrics metrics;
  private final ClockSkew clockSkew;
  private final UlidStamper stamper;

  /**
   * @param keepsTimes whether batches of the past keep their time
   */
  UploadedBatches(UploadTarget target, Intake intake, boolean keepsTimes) {
    this.target = target;
    this.metrics = intake.metrics();
    this.clockSkew = new ClockSkew(intake.options().limits().maxSkew(), intake.clock(), keepsTimes);
    this.stamper = new UlidStamper(intake.clock());
  }

  @Override
  public void take(UploadBuffer window) throws IOException, UploadRefusedException {
    ByteBuffer unread = window.unread();
    int good = unread.position();
    while (hasWhole(unread, good, window)) {
      long offset = window.offset() + good - unread.position();
      BatchHeader header = BatchHeader.parse(unread, good, offset);
      Batch batch = Batch.read(header, unread, good, offset);
      target.check(batch.labels());
      target.count(batch.topic(), batch.records(), header.batchBytes());
      if (clockSkew.is(header.millis())) {
        store(unread, good);
        restamp(batch);
        unread.position(good + header.batchBytes());
      }
      good += header.batchBytes();
    }
    store(unread, good);
  }

  /** Whether a whole batch begins at an index of the window. */
  private static boolean hasWhole(ByteBuffer unread, int at, UploadBuffer window)
      throws CorruptException {
    int found = unread.limit() - at;
    long offset = window.offset() + at - unread.position();
    int expected =
        found < BatchHeader.BYTES
            ? BatchHeader.BYTES
            : BatchHeader.parse(unread, at, offset).batchBytes();
    if (window.ended() && found > 0 && found < expected) {
      throw new CorruptException(
          offset,
          "expected %d bytes of a batch, found the upload's end after %d"
              .formatted(expected, found));
    }
    return found >= expected;
  }

  /** Writes the batches before an index. */
  private void store(ByteBuffer unread, int end) throws IOException, UploadRefusedException {
    if (end > unread.position()) {
      target.append(unread.slice(unread.position(), end - unread.position()));
      unread.position(end);
    }
  }

  private void restamp(Batch batch) throws IOException, UploadRefusedException {
    metrics.restampedBatches.increment();
    ByteBuffer payload = batch.payload();
    ByteBuffer header =
        Batch.head(
            batch.origin(),
            batch.delimiter(),
            stamper.stamp(batch.records()),
            batch.records(),
            payload);
    target.append(header, payload);
  }
}

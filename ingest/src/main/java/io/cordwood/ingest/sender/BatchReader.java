package io.cordwood.ingest.sender;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.TopicCounters;
import io.cordwood.ingest.mode.ConnectionWriter;
import io.cordwood.ingest.mode.LateRecords;
import io.cordwood.ingest.mode.StampedBatch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes batches that the sender stamped: checks each as a whole and writes them as they are,
 * several in one write if several came together. A batch whose time is far from this node's clock
 * is stamped anew, so that it is not lost to those who ask for a range of time; one of the past is
 * not, if the sender says that its times are meant.
 */
final class BatchReader implements RecordReader {
  private static final int MAX_WRITE_BYTES = 1 << 20;

  private final ConnectionWriter writer;
  private final IngestMetrics metrics;
  private final BufferedBytesLimit held;
  private final ClockSkew clockSkew;
  private final UlidStamper stamper;
  private final LateRecords late;
  private final SenderRights rights;
  private @Nullable StampedBatch turnedAway;
  private @Nullable RefusedException refused;
  private TopicCounters counters;
  private Origin origin = new Origin(Topic.DEFAULT.name(), Labels.NONE);
  private ByteBuffer originBytes = ByteBuffer.wrap(origin.bytes());
  private int checkedBytes;
  private int checkedRecords;
  private long offset;

  /**
   * @param keepsTimes whether batches of the past keep their time
   */
  BatchReader(ConnectionWriter writer, Intake intake, SenderRights rights, boolean keepsTimes) {
    this.rights = rights;
    this.writer = writer;
    this.metrics = intake.metrics();
    this.held = intake.held();
    this.clockSkew = new ClockSkew(intake.options().limits().maxSkew(), intake.clock(), keepsTimes);
    this.stamper = new UlidStamper(intake.clock());
    this.late = new LateRecords(intake.clock(), metrics.registry);
    this.counters = metrics.ledger.withoutTopic();
  }

  @Override
  public boolean store(ReceivedBytes received, boolean ended) throws RefusedException {
    while (turnedAway != null || collect(received)) {
      if (turnedAway != null && !writeTo(received, turnedAway)) {
        return false;
      }
    }
    if (refused != null) {
      throw refused;
    }
    if (ended && received.size() > 0) {
      reject(received, RejectReason.CUT);
    }
    return true;
  }

  private boolean writeTo(ReceivedBytes received, StampedBatch batch) {
    if (!writer.append(batch)) {
      return false;
    }
    turnedAway = null;
    late.written();
    received.drop(batch.wireBytes());
    offset += batch.wireBytes();
    return true;
  }

  /** Collects the next batches that are whole and good; false if there are none. */
  private boolean collect(ReceivedBytes received) {
    checkedBytes = 0;
    checkedRecords = 0;
    try {
      while (refused == null && turnedAway == null && checkedBytes < MAX_WRITE_BYTES) {
        if (!checkNext(received)) {
          break;
        }
      }
    } catch (CorruptException e) {
      refused = new RefusedException(RejectReason.CORRUPT, String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      refused = e;
    }
    if (turnedAway == null && checkedBytes > 0) {
      turnedAway =
          new StampedBatch(received.view(0, checkedBytes), counters, checkedRecords, checkedBytes);
    }
    return turnedAway != null;
  }

  private boolean checkNext(ReceivedBytes received) throws CorruptException, RefusedException {
    int left = received.size() - checkedBytes;
    if (left < BatchHeader.BYTES) {
      return false;
    }
    BatchHeader header =
        BatchHeader.parse(received.copy(checkedBytes, checkedBytes + BatchHeader.BYTES), 0, at());
    if (left < header.batchBytes()) {
      refuseIfMuchIsHeld(header, left);
      return false;
    }
    ByteBuffer head = received.copy(checkedBytes, payloadAt(header));
    if (checkedBytes > 0 && (clockSkew.is(header.millis()) || !isOfTopic(header, head))) {
      return false; // It goes out by itself, once those before it are on their way.
    }
    check(header, head, received);
    return true;
  }

  private int payloadAt(BatchHeader header) {
    return checkedBytes + BatchHeader.BYTES + header.originBytes();
  }

  /** Whether it is of the topic of the batch before, which is found without reading its labels. */
  private boolean isOfTopic(BatchHeader header, ByteBuffer head) {
    return counters.isOf(head.slice(BatchHeader.BYTES, header.originBytes()));
  }

  private void refuseIfMuchIsHeld(BatchHeader header, int left) throws RefusedException {
    if (held.isTooMuch(left)) {
      throw new RefusedException(
          RejectReason.MEMORY,
          "at byte %d: too many unfinished batches are held; found %d of the %d bytes of this one"
              .formatted(at(), left, header.batchBytes()));
    }
  }

  private long at() {
    return offset + checkedBytes;
  }

  private void check(BatchHeader header, ByteBuffer head, ReceivedBytes received)
      throws CorruptException, RefusedException {
    int end = checkedBytes + header.batchBytes();
    ByteBuffer[] payload = received.view(payloadAt(header), end);
    try {
      header.check(head, 0, at(), payload);
      checkLengths(header, payload);
      readOrigin(header, head);
      openAccount(header, head);
      counters.received(header.records(), header.batchBytes());
      rights.received(origin.topic(), header.records(), header.batchBytes());
      if (clockSkew.is(header.millis())) {
        restamp(header, payload);
      } else {
        checkedBytes = end;
        checkedRecords += header.records();
        late.add(header.millis(), header.records());
      }
    } catch (CorruptException e) {
      metrics.ledger.withoutTopic().turnedDown(RejectReason.CORRUPT, header.records(), 0);
      throw e;
    } catch (RefusedException e) {
      metrics.ledger.withoutTopic().turnedDown(e.reason(), header.records(), 0);
      throw e;
    }
  }

  private void checkLengths(BatchHeader header, ByteBuffer[] payload) throws CorruptException {
    if (header.payloadBytes() <= BatchHeader.MAX_RECORD_BYTES) {
      return;
    }
    int record = 0;
    for (ByteBuffer part : payload) {
      for (int at = part.position(); at < part.limit(); at++) {
        record = part.get(at) == header.delimiter().value() ? 0 : record + 1;
        if (record > BatchHeader.MAX_RECORD_BYTES) {
          throw new CorruptException(
              at(),
              "expected records of at most %d bytes, found a longer one"
                  .formatted(BatchHeader.MAX_RECORD_BYTES));
        }
      }
    }
  }

  /** Reads where it comes from, if it is not where the batch before came from. */
  private void readOrigin(BatchHeader header, ByteBuffer head) throws CorruptException {
    ByteBuffer encoded = head.slice(BatchHeader.BYTES, header.originBytes());
    if (!encoded.equals(originBytes)) {
      origin = header.origin(head, 0, at());
      originBytes = encoded;
    }
  }

  private void openAccount(BatchHeader header, ByteBuffer head) throws RefusedException {
    rights.check(origin.labels());
    if (!isOfTopic(header, head)) {
      var topic = new Topic(origin.topic());
      rights.check(topic);
      counters = metrics.ledger.open(topic);
    }
  }

  /** Makes a write of its own, with a new header. */
  private void restamp(BatchHeader header, ByteBuffer[] payload) {
    metrics.restampedBatches.increment();
    int records = header.records();
    Ulid first = stamper.stamp(records);
    late.add(first.millis(), records);
    ByteBuffer head = Batch.head(origin, header.delimiter(), first, records, payload);
    turnedAway = StampedBatch.of(head, payload, counters, records, header.batchBytes());
  }

  @Override
  public void reject(ReceivedBytes received, RejectReason reason) {
    if (turnedAway != null) {
      turnedAway.reject(reason);
      received.drop(turnedAway.wireBytes());
      turnedAway = null;
    }
    metrics.ledger.withoutTopic().turnedDown(reason, 0, received.size());
    received.drop(received.size());
  }
}

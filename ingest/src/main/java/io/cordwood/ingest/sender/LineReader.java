package io.cordwood.ingest.sender;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.TopicCounters;
import io.cordwood.ingest.mode.ConnectionWriter;
import io.cordwood.ingest.mode.LateRecords;
import io.cordwood.ingest.mode.StampedBatch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of raw lines. What was received is cut after LFs, counted, stamped and written,
 * without a copy; the rest waits for its LF, or for the connection's end, which counts as one.
 * Blank lines are left out. A line longer than a record may be becomes several.
 */
final class LineReader implements RecordReader {
  private static final byte LF = '\n';

  /**
   * A batch of several lines is not larger: as much as a store puts into one block. Lines in it are
   * shorter than a record may be.
   */
  static final int BATCH_BYTES = 320 << 10;

  private final Origin origin;
  private final ConnectionWriter writer;
  private final IngestMetrics metrics;
  private final TopicCounters counters;
  private final SenderRights rights;
  private final BufferedBytesLimit held;
  private final UlidStamper stamper;
  private final LateRecords late;
  private @Nullable StampedBatch turnedAway;
  private int cutBytes;
  private int blankLines;
  private int blankBytes;
  private int knownWithoutLf;
  private boolean splitting;

  /**
   * @param origin of all lines
   * @param counters of the topic
   */
  LineReader(
      Origin origin,
      TopicCounters counters,
      ConnectionWriter writer,
      Intake intake,
      SenderRights rights) {
    this.origin = origin;
    this.writer = writer;
    this.metrics = intake.metrics();
    this.counters = counters;
    this.rights = rights;
    this.held = intake.held();
    this.stamper = new UlidStamper(intake.clock());
    this.late = new LateRecords(intake.clock(), metrics.registry);
  }

  @Override
  public boolean store(ReceivedBytes received, boolean ended) {
    while (turnedAway != null || cut(received, ended)) {
      if (turnedAway != null && !writer.append(turnedAway)) {
        return false;
      }
      turnedAway = null;
      late.written();
      dropCut(received);
      knownWithoutLf = 0;
    }
    knownWithoutLf = received.size();
    return true;
  }

  private void dropCut(ReceivedBytes received) {
    metrics.blankLines.increment(blankLines);
    counters.rejected(RejectReason.BLANK, 0, blankBytes);
    received.drop(cutBytes);
  }

  /** Cuts off what can be stored next; false if there is nothing. */
  private boolean cut(ReceivedBytes received, boolean ended) {
    int firstLf = received.indexOf(LF, knownWithoutLf);
    int lineBytes = firstLf < 0 ? received.size() : firstLf;
    if (lineBytes > BatchHeader.MAX_RECORD_BYTES) {
      return split(received, BatchHeader.MAX_RECORD_BYTES);
    }
    if (firstLf >= 0) {
      int end = Math.min(received.size(), Math.max(BATCH_BYTES, firstLf + 1));
      splitting = false;
      return cut(received, received.lastIndexOf(LF, firstLf, end) + 1, false);
    }
    if (received.size() > 0 && ended) {
      splitting = false;
      return cut(received, received.size(), true);
    }
    return held.isTooMuch(received.size()) && split(received, received.size());
  }

  private boolean split(ReceivedBytes received, int bytes) {
    if (!splitting) {
      metrics.splitLines.increment();
    }
    splitting = true;
    return cut(received, bytes, true);
  }

  private boolean cut(ReceivedBytes received, int bytes, boolean addsLf) {
    var payload = LinePayload.of(received.view(0, bytes), bytes, addsLf);
    cutBytes = bytes;
    blankLines = payload.blankLines();
    blankBytes = payload.blankBytes();
    turnedAway = payload.lines() == 0 ? null : stamped(payload);
    counters.received(payload.lines(), bytes);
    rights.received(origin.topic(), payload.lines(), bytes);
    return true;
  }

  private StampedBatch stamped(LinePayload payload) {
    int records = payload.lines();
    Ulid first = stamper.stamp(records);
    late.add(first.millis(), records);
    ByteBuffer header = Batch.head(origin, Delimiter.LF, first, records, payload.buffers());
    return StampedBatch.of(header, payload.buffers(), counters, records, payload.wireBytes());
  }

  @Override
  public void reject(ReceivedBytes received, RejectReason reason) {
    if (turnedAway != null) {
      turnedAway.reject(reason);
      turnedAway = null;
      late.written();
      dropCut(received);
    }
    counters.turnedDown(reason, 0, received.size());
    received.drop(received.size());
  }
}

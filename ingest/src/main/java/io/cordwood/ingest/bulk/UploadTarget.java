package io.cordwood.ingest.bulk;

import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.TopicCounters;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.UploadingSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Takes the batches of one upload and counts them. For the upload's thread. */
final class UploadTarget {
  /** A store indexes all batches of a segment in memory; so much it can do. */
  static final int MAX_BATCHES = 1 << 18;

  private final UploadingSegment segment;
  private final DiskSpace space;
  private final IngestMetrics metrics;
  private final SenderRights rights;
  private final Map<Topic, Tally> tallies = new HashMap<>();
  private final Set<Labels> labelSets = new HashSet<>();
  private int labelBytes;
  private int batches;
  private long records;
  private long blankLines;

  /** The totals of one topic; bytes are those of the wire. */
  private static final class Tally {
    private final TopicCounters counters;
    private int records;
    private long bytes;
    private long blankBytes;

    Tally(TopicCounters counters) {
      this.counters = counters;
    }
  }

  UploadTarget(
      UploadingSegment segment, DiskSpace space, IngestMetrics metrics, SenderRights rights) {
    this.rights = rights;
    this.segment = segment;
    this.space = space;
    this.metrics = metrics;
  }

  /** Counts a batch that is about to be written, and the bytes of the wire that it is made of. */
  void count(Topic topic, int moreRecords, int bytes) throws UploadRefusedException {
    Tally tally = tally(topic);
    tally.records += moreRecords;
    tally.bytes += bytes;
    records += moreRecords;
    if (++batches > MAX_BATCHES) {
      throw new UploadRefusedException(
          Reason.TOO_LARGE,
          "expected at most " + MAX_BATCHES + " batches in an upload, found more");
    }
  }

  /** Counts blank lines, which are not written. */
  void countBlank(Topic topic, int lines, int bytes) throws UploadRefusedException {
    tally(topic).blankBytes += bytes;
    blankLines += lines;
  }

  private Tally tally(Topic topic) throws UploadRefusedException {
    Tally known = tallies.get(topic);
    if (known != null) {
      return known;
    }
    try {
      rights.check(topic);
      var opened = new Tally(metrics.ledger.open(topic));
      tallies.put(topic, opened);
      return opened;
    } catch (RefusedException e) {
      throw refused(e);
    }
  }

  /** Looks whether records with these labels may be sent, and whether a store can hold them too. */
  void check(Labels labels) throws UploadRefusedException {
    if (!labels.isEmpty() && labelSets.add(labels)) {
      labelBytes += BatchIndex.heldBytes(labels);
    }
    if (labelBytes > BatchIndex.MAX_LABEL_BYTES) {
      throw new UploadRefusedException(
          Reason.TOO_LARGE,
          "expected different sets of labels of at most %d bytes in an upload, found more"
              .formatted(BatchIndex.MAX_LABEL_BYTES));
    }
    try {
      rights.check(labels);
    } catch (RefusedException e) {
      throw refused(e);
    }
  }

  private static UploadRefusedException refused(RefusedException e) {
    return new UploadRefusedException(
        e.reason() == RejectReason.TOKEN ? Reason.TOKEN : Reason.TOPICS,
        String.valueOf(e.getMessage()));
  }

  /** Writes whole batches. */
  void append(ByteBuffer... buffers) throws IOException, UploadRefusedException {
    long bytes = 0;
    for (ByteBuffer buffer : buffers) {
      bytes += buffer.remaining();
    }
    if (!space.take(bytes)) {
      throw new UploadRefusedException(
          Reason.DISK_FULL, "the disk's reserve is reached; try later, or another node");
    }
    segment.append(buffers);
  }

  long records() {
    return records;
  }

  /** Enters what was written in the ledger. */
  void enter() {
    metrics.blankLines.increment((double) blankLines);
    for (Map.Entry<Topic, Tally> each : tallies.entrySet()) {
      Tally tally = each.getValue();
      rights.received(each.getKey().name(), tally.records, tally.bytes);
      tally.counters.received(tally.records, tally.bytes + tally.blankBytes);
      tally.counters.rejected(RejectReason.BLANK, 0, tally.blankBytes);
      tally.counters.stored(tally.records, tally.bytes);
    }
  }
}

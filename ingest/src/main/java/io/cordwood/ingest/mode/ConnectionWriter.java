package io.cordwood.ingest.mode;

import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.TopicCounters;

/**
 * One connection's way to its loop's segment: counts what became of its batches, and remembers
 * where the last one went.
 */
public final class ConnectionWriter {
  private final LoopWriter loop;
  private final LoopBackpressure.Sender connection;
  private long lastSegment = -1;
  private long safeRecords;
  private int unsafeBatches;

  public ConnectionWriter(LoopWriter loop, LoopBackpressure.Sender connection) {
    this.loop = loop;
    this.connection = connection;
  }

  /** Hands over to the loop's writer; false if that takes nothing now. */
  public boolean append(StampedBatch batch) {
    unsafeBatches++;
    if (!loop.append(batch, this)) {
      unsafeBatches--;
      return false;
    }
    lastSegment = loop.segment();
    return true;
  }

  /** For the loop's writer: the oldest batch that was not safe is. */
  void safe(TopicCounters counters, int records, int wireBytes) {
    unsafeBatches--;
    safeRecords += records;
    counters.stored(records, wireBytes);
  }

  /** For the loop's writer: the oldest batch that was not safe never will be. */
  void lost(TopicCounters counters, int records, int wireBytes) {
    unsafeBatches--;
    counters.rejected(RejectReason.CLOSED, records, wireBytes);
  }

  /** Records of this connection that are as safe as the port promises. */
  public long safeRecords() {
    return safeRecords;
  }

  /** Whether nothing is on its way any more. */
  public boolean allSafe() {
    return unsafeBatches == 0;
  }

  LoopBackpressure.Sender connection() {
    return connection;
  }

  public void started() {
    loop.members().add(connection);
  }

  /** Calls back when it is worth another try. */
  public void await() {
    loop.members().await(connection);
  }

  /** Flushes soon what this connection left in the active segment. */
  public void ended() {
    loop.members().remove(connection);
    loop.flushSoon(lastSegment);
  }
}

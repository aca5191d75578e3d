package io.cordwood.ingest.mode;

import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.TopicCounters;

/**
 * One connection's way to its loop's segment: counts what became of its batches, and remembers
 * where the last one went.
 */
public final class ConnectionWriter {
  private final LoopWriter loop;
  private final Runnable progress;
  private long lastSegment = -1;
  private long safeRecords;
  private int unsafeBatches;

  /**
   * @param progress run on the loop when more is safe than when it ran last
   */
  public ConnectionWriter(LoopWriter loop, Runnable progress) {
    this.loop = loop;
    this.progress = progress;
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

  /** For the loop's writer: some batches are safe, or lost. */
  void progressed() {
    progress.run();
  }

  /** Flushes soon what this connection left in the active segment. */
  public void ended() {
    loop.flushSoon(lastSegment);
  }
}

package io.cordwood.ingest.mode;

import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.TopicCounters;

/** Counts what became of the batches of one connection. Owned by its loop. */
final class BatchOutcomes {
  private final Runnable progress;
  private long safeRecords;
  private int unsafeBatches;

  /**
   * @param progress run on the loop when more is safe than when it ran last
   */
  BatchOutcomes(Runnable progress) {
    this.progress = progress;
  }

  /** A batch is handed over. */
  void begin() {
    unsafeBatches++;
  }

  /** It was not taken. */
  void takeBack() {
    unsafeBatches--;
  }

  /** The oldest batch that was not safe is. */
  void safe(TopicCounters counters, int records, int wireBytes) {
    unsafeBatches--;
    safeRecords += records;
    counters.stored(records, wireBytes);
  }

  /** The oldest batch that was not safe never will be. */
  void lost(TopicCounters counters, int records, int wireBytes) {
    unsafeBatches--;
    counters.rejected(RejectReason.CLOSED, records, wireBytes);
  }

  /** Some batches are safe, or lost. */
  void progressed() {
    progress.run();
  }

  long safeRecords() {
    return safeRecords;
  }

  boolean allSafe() {
    return unsafeBatches == 0;
  }
}

package io.cordwood.ingest.mode;

/**
 * One connection's way to its loop's segment: counts what became of its batches, and remembers
 * where the last one went.
 */
public final class ConnectionWriter {
  private final LoopWriter loop;
  private final BatchOutcomes outcomes;
  private long lastSegment = -1;

  /**
   * @param progress run on the loop when more is safe than when it ran last
   */
  public ConnectionWriter(LoopWriter loop, Runnable progress) {
    this.loop = loop;
    this.outcomes = new BatchOutcomes(progress);
  }

  /** Hands over to the loop's writer; false if that takes nothing now. */
  public boolean append(StampedBatch batch) {
    outcomes.begin();
    if (!loop.append(batch, outcomes)) {
      outcomes.takeBack();
      return false;
    }
    lastSegment = loop.segment();
    return true;
  }

  /** Records of this connection that are as safe as the port promises. */
  public long safeRecords() {
    return outcomes.safeRecords();
  }

  /** Whether nothing is on its way any more. */
  public boolean allSafe() {
    return outcomes.allSafe();
  }

  /** Flushes soon what this connection left in the active segment. */
  public void ended() {
    loop.flushSoon(lastSegment);
  }
}

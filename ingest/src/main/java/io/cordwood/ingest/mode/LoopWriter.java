package io.cordwood.ingest.mode;

/**
 * Writes the batches of one event loop's connections; there is one for each loop of each port.
 * Owned by the loop; never blocks.
 */
public interface LoopWriter {
  /** Shut while {@link #append} takes nothing. */
  LoopGate gate();

  /**
   * Takes batches over, and calls {@link ConnectionWriter#safe} once they are as safe as the port
   * promises: before this returns, or later.
   *
   * @param batch positions of its buffers do not move; they are not needed when this returned
   * @return false if nothing can be taken now; then nothing was. The caller keeps the batch, stops
   *     reading and calls {@link LoopGate#await}
   */
  boolean append(StampedBatch batch, ConnectionWriter sender);

  /** Which of the segments, by number, the last append went to. */
  long segment();

  /** For a connection that ended: flushes a segment soon, if it is still active. */
  void flushSoon(long segment);
}

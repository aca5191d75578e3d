package io.cordwood.ingest.mode;

import io.netty.channel.EventLoop;

/**
 * Writes the batches of one event loop's connections; there is one for each loop of each port.
 * Owned by the loop; never blocks.
 */
public abstract class LoopWriter {
  private final LoopGate gate;

  LoopWriter(EventLoop loop) {
    this.gate = new LoopGate(loop);
  }

  /** Shut while {@link #append} takes nothing. */
  public LoopGate gate() {
    return gate;
  }

  /**
   * Takes batches over, and calls {@link BatchOutcomes#safe} once they are as safe as the port
   * promises: before this returns, or later.
   *
   * @param batch positions of its buffers do not move; they are not needed when this returned
   * @return false if nothing can be taken now; then nothing was. The caller keeps the batch, stops
   *     reading and calls {@link LoopGate#await}
   */
  final boolean append(StampedBatch batch, BatchOutcomes outcomes) {
    return !gate.isShut() && take(batch, outcomes);
  }

  /** As {@link #append}, while the gate is open; shuts it if nothing can be taken. */
  abstract boolean take(StampedBatch batch, BatchOutcomes outcomes);

  /** Which of the segments, by number, the last append went to. */
  abstract long segment();

  /** For a connection that ended: flushes a segment soon, if it is still active. */
  abstract void flushSoon(long segment);
}

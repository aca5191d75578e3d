package io.cordwood.common.segment;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The records that a node receives, for those who follow it. For all threads. */
public interface ArrivalSource {
  /**
   * Follows what is received from now on: what is not given by this is in the node's segments when
   * this method returns, or was, before a store had it.
   *
   * @throws IOException if this node cannot be followed, or stops
   */
  Follower follow() throws IOException;

  /** One who follows. For one thread; to be closed. */
  interface Follower extends AutoCloseable {
    /**
     * Waits until something was received that was not given yet.
     *
     * @param longest wait; nothing is given then
     * @throws IOException if this node cannot be followed any more
     */
    Arrived await(Duration longest) throws IOException, InterruptedException;

    @Override
    void close();
  }

  /**
   * Some of what was received, in the order in which it was.
   *
   * @param blocks of a topic each; shared by all who follow, and not to be changed
   * @param missed records that came before these, and were let go before this follower took them
   */
  record Arrived(List<Block> blocks, long missed) {}
}

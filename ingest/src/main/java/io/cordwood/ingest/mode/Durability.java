package io.cordwood.ingest.mode;

import io.netty.channel.EventLoop;
import java.util.Optional;

/** How the promise of one port is kept: the strategy of its listener. */
public interface Durability {
  Mode mode();

  /** The writer of an event loop; called once for each, before any sender connects. */
  LoopWriter writerFor(EventLoop loop);

  /** Why no sender is taken now; empty as long as they are. For all threads. */
  Optional<String> trouble();

  /**
   * Hands all that connections have left to the flusher. The connections have ended, the loops
   * still run; blocks.
   */
  void close();
}

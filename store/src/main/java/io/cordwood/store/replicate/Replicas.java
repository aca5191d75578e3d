package io.cordwood.store.replicate;

import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The other stores, as those that take copies. Calls block. Safe for all threads. */
public interface Replicas {
  /**
   * Sends a whole segment. When this returns, it is durable on the peer.
   *
   * @param longest wait for that, however well it goes on
   * @throws IOException naming the peer, if it is not, or not known to be
   */
  void send(StorePeer peer, Path file, Duration longest) throws IOException;
}

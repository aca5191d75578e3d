package io.cordwood.ingest.message;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Events;

/** Makes events of messages. For one thread. */
@FunctionalInterface
public interface MessageReader {
  /**
   * Adds the events of a message.
   *
   * @param continued whether it is the rest of the message before, which was too long for one
   * @throws RefusedException as {@link Events} throws it
   */
  void read(byte[] bytes, int from, int to, boolean continued, Events events)
      throws RefusedException;
}

package io.cordwood.agent;

import io.cordwood.forwarder.Forwarder;
import java.io.IOException;

/** Lines for a forwarder from something other than files. */
interface ForwardInput {
  /**
   * Sends lines until there are no more, or {@link #stop} is called, or the forwarder takes no
   * more. It waits for lines, and for room.
   *
   * @return whether all lines were taken, and their source ended well
   */
  boolean pump(Forwarder forwarder) throws IOException;

  /**
   * Called by another thread when a signal ends the process.
   *
   * @return whether {@link #pump} returns soon, with what was on its way
   */
  boolean stop();

  /** Adds figures of its own to those of the forwarder: {@code ,"name":1}. */
  default String json() {
    return "";
  }
}

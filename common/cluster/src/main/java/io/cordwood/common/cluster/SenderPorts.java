package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;

/**
 * The ports on which a node takes batches from senders.
 *
 * @param fast of fast mode, durable of durable mode; both 0 if there is none
 */
public record SenderPorts(int fast, int durable) {
  public static final SenderPorts NONE = new SenderPorts(0, 0);

  /**
   * @throws IllegalArgumentException if a port is outside 0 to 65535, or only one is 0
   */
  public SenderPorts {
    if (fast < 0
        || fast > HostPort.MAX_PORT
        || durable < 0
        || durable > HostPort.MAX_PORT
        || (fast == 0) != (durable == 0)) {
      throw new IllegalArgumentException(
          "expected two ports from 1 to 65535, found " + fast + " and " + durable);
    }
  }

  public boolean areNone() {
    return fast == 0;
  }
}

package io.cordwood.common.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EventLoopsTest {
  /** Netty would warn at each start on a machine with a loopback device alone. */
  @Test
  void noNetworkCardIsNeededForTheIdsOfChannels() {
    assertThat(EventLoops.transport()).isIn("epoll", "nio");
    assertThat(System.getProperty("io.netty.machineId")).matches("([0-9a-f]{2}:){5}[0-9a-f]{2}");
  }
}

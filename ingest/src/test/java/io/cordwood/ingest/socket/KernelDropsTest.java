package io.cordwood.ingest.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datagrams that the kernel drops are counted. */
class KernelDropsTest {
  @TempDir Path folder;

  @Test
  void onlyThoseOfThePortAreCountedAndEachOnce() throws Exception {
    Path table = folder.resolve("udp");
    String line =
        "%5d: 00000000:%s 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 1 2 0 %d%n";
    String head = "   sl  local_address rem_address   st drops             \n";
    var drops = new KernelDrops(0x2fa9, List.of(table, folder.resolve("none")));
    assertThat(drops.more()).isZero();
    Files.writeString(table, head + line.formatted(1, "2FA9", 7) + line.formatted(2, "12FA", 9));
    assertThat(drops.more()).isEqualTo(7);
    Files.writeString(table, head + line.formatted(1, "2FA9", 10));
    assertThat(drops.more()).isEqualTo(3);
    Files.writeString(table, head);
    assertThat(drops.more()).isZero();
  }

  @Test
  void whatFindsASocketFullIsCounted() throws Exception {
    Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/net/udp")));
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (var full = new DatagramSocket(0, loopback);
        var sender = new DatagramSocket()) {
      full.setReceiveBufferSize(4096);
      var drops = new KernelDrops(full.getLocalPort());
      for (int i = 0; i < 100; i++) {
        sender.send(new DatagramPacket(new byte[1000], 1000, loopback, full.getLocalPort()));
      }
      await().until(() -> drops.more() > 0);
    }
  }
}

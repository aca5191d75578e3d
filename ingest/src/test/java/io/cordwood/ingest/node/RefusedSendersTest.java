package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of which no other one knows acknowledges nothing, and says why. */
final class RefusedSendersTest {
  private static final byte[] LINE = "one\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path folder;

  @Test
  void senderOfEachModeIsToldWhyAndCountedAndTakenLater() throws IOException {
    try (RunningNode running = RunningNode.in(folder)) {
      running.node.refuse(Optional.of("nobody knows this node"));
      String refused = "error: nobody knows this node\n";
      assertThat(running.send(LINE)).isEqualTo(refused);
      assertThat(running.sendDurable(LINE)).isEqualTo(refused);
      assertThat(upload(running)).isEqualTo(refused);
      assertThat(running.node.warning()).contains("senders are refused: nobody knows this node");
      assertThat(
              running.registry.get("cordwood_ingest_connections_refused_total").counter().count())
          .isEqualTo(2);
      assertThat(running.node.isEmpty()).isTrue();
      running.node.refuse(Optional.empty());
      assertThat(running.sendDurable(LINE)).isEqualTo("ack 1\n");
      assertThat(running.node.warning()).isEmpty();
    }
  }

  private static String upload(RunningNode running) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.node.bulkPort())) {
      socket.setSoTimeout((int) RunningNode.PATIENCE.toMillis());
      socket.getOutputStream().write(LINE);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}

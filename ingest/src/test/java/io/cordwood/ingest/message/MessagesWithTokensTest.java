package io.cordwood.ingest.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.file.Filesystem;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.ForeignPorts;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages cannot show a token. */
class MessagesWithTokensTest {
  @TempDir Path folder;
  private @Nullable Tokens tokens;

  @AfterEach
  void close() {
    if (tokens != null) {
      tokens.close();
    }
  }

  private RunningNode node(boolean open) throws IOException {
    IngestOptions options = RunningNode.options(folder.resolve("data"));
    Path file = folder.resolve("tokens");
    TokenFile.write(file, List.of());
    tokens = Tokens.of(file, InstantSource.system(), new SimpleMeterRegistry());
    return new RunningNode(
        options.with(options.listening().withForeign(ForeignPorts.NONE.withSyslog(0).withGelf(0))),
        Filesystem.real(),
        registry -> new Admission(tokens, new Refusals(registry, AuditLog.NONE), open));
  }

  private static void sendDatagram(int port, String text) throws IOException {
    try (var socket = new DatagramSocket()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"syslog", "gelf"})
  void theyAreRefusedAndCounted(String protocol) throws Exception {
    try (RunningNode node = node(false)) {
      int port = node.foreignPort(protocol);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo(
                "error: this node asks for a token, which "
                    + protocol
                    + " cannot show; it is taken with --open-ingest only\n");
      }
      assertThat(node.counted("connections_refused")).isEqualTo(1);
      sendDatagram(port, "{\"a\":1}");
      await().until(() -> node.counted("bytes_rejected", "reason", "token") == 7);
      assertThat(node.counted("records_rejected", "reason", "token")).isEqualTo(1);
      node.assertLedgerIsExact();
    }
  }

  @Test
  void theyAreTakenIfSendersWithoutATokenAre() throws Exception {
    try (RunningNode node = node(true)) {
      for (String protocol : new String[] {"syslog", "gelf"}) {
        int port = node.foreignPort(protocol);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.getOutputStream().write("{\"a\":1}\n".getBytes(StandardCharsets.UTF_8));
        }
        sendDatagram(port, "{\"a\":1}");
      }
      assertThat(RunningNode.text(node.consume(4))).isEqualTo("{\"a\":1}\n".repeat(4));
    }
  }
}

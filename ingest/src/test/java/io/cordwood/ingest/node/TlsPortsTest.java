package io.cordwood.ingest.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TlsPortsTest {
  private static final Duration PATIENCE = Patience.LONG;

  @TempDir private Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private RunningNode node(Optional<NodeTls> tls) throws IOException {
    var options = RunningNode.options(folder.resolve("data"));
    return new RunningNode(options.with(options.listening().withTls(tls)));
  }

  private static Socket connect(RunningNode node, Port port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port.of(node.node));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private void awaitHandshakes(Port port, String result, int atLeast) {
    await()
        .until(() ->
            registry
                    .get("cordwood.tls.handshakes")
                    .tags("port", port.label(), "result", result)
                    .counter()
                    .count()
                >= atLeast);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAST", "DURABLE"})
  void linesComeOverTls(Port port) throws Exception {
    var certificates = new Certificates(folder);
    ClientTls tls = certificates.client();
    try (NodeTls own = certificates.open(registry);
        RunningNode node = node(Optional.of(own));
        SSLSocket sender = tls.secure(connect(node, port), "localhost")) {
      sender.getOutputStream().write("one\ntwo\nthree".getBytes(UTF_8));
      sender.shutdownOutput();
      String answer = new String(sender.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).endsWith(port == Port.DURABLE ? "ack 3\n" : "");
      assertThat(RunningNode.count(node.consume(3))).isEqualTo(3);
      awaitHandshakes(port, "ok", 1);
    }
  }

  @Test
  void anUploadComesOverTls() throws Exception {
    var certificates = new Certificates(folder);
    ClientTls tls = certificates.trusting();
    try (NodeTls own = certificates.open(registry);
        RunningNode node = node(Optional.of(own));
        SSLSocket sender = tls.secure(connect(node, Port.BULK), "localhost")) {
      sender.getOutputStream().write("one\n".getBytes(UTF_8));
      sender.getOutputStream().flush();
      sender.getOutputStream().write("two\n".getBytes(UTF_8));
      sender.shutdownOutput();
      assertThat(RunningNode.count(node.consume(2))).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void plainTextIsToldThatThePortSpeaksTls(Port port) throws Exception {
    var certificates = new Certificates(folder);
    try (NodeTls own = certificates.open(registry);
        RunningNode node = node(Optional.of(own));
        Socket sender = connect(node, port)) {
      sender.getOutputStream().write("a line\n".getBytes(UTF_8));
      assertThat(new String(sender.getInputStream().readAllBytes(), UTF_8))
          .startsWith("error: this port speaks TLS");
      awaitHandshakes(port, "plain", 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tlsIsToldThatThePortSpeaksPlainText(Port port) throws Exception {
    ClientTls tls = new Certificates(folder).trusting();
    try (RunningNode node = node(Optional.empty())) {
      assertThatThrownBy(() -> tls.secure(connect(node, port), "localhost"))
          .hasMessage("it speaks plain text, and not TLS");
      String reason = port == Port.BULK ? "upload" : "tls";
      await().until(() -> node.counted("bytes_rejected", "reason", reason) > 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void handshakesThatDoNotEndAreEnded(Port port) throws Exception {
    var certificates = new Certificates(folder);
    try (NodeTls own = NodeTls.open(Certificates.quick(certificates.node()), registry);
        RunningNode node = node(Optional.of(own));
        Socket silent = connect(node, port);
        Socket slow = connect(node, port)) {
      slow.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
      awaitEnd(silent);
      awaitEnd(slow);
      awaitHandshakes(port, "timeout", 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void randomBytesDoNoHarm(Port port) throws Exception {
    var certificates = new Certificates(folder);
    ClientTls tls = certificates.trusting();
    var random = new Random(11);
    try (NodeTls own = certificates.open(registry);
        RunningNode node = node(Optional.of(own))) {
      for (int i = 0; i < 10; i++) {
        byte[] bytes = new byte[500];
        random.nextBytes(bytes);
        bytes[0] = 0x16;
        try (Socket socket = connect(node, port)) {
          socket.getOutputStream().write(bytes);
          socket.shutdownOutput();
          awaitEnd(socket);
        }
      }
      awaitHandshakes(port, "failed", 1);
      try (SSLSocket sender = tls.secure(connect(node, port), "localhost")) {
        sender.getOutputStream().write("one\n".getBytes(UTF_8));
        sender.shutdownOutput();
        assertThat(RunningNode.count(node.consume(1))).isEqualTo(1);
      }
    }
  }

  private static void awaitEnd(Socket socket) throws IOException {
    try {
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // It may as well be reset.
    }
  }
}

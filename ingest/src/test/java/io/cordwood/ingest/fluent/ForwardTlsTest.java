package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.RunningNode;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node with certificates: its port of Fluent Forward speaks TLS, and nothing else. */
class ForwardTlsTest extends ForwardFixture {
  @Test
  void messagesComeOverTlsAndPlainOnesAreRefused() throws Exception {
    var certificates = new Certificates(folder);
    IngestOptions options = options(folder.resolve("tls"), AGES);
    byte[] message = message("t", 1_795_000_000, "secret", "c");
    try (NodeTls tls = certificates.open(node.registry);
        var secured =
            new RunningNode(options.with(options.listening().withTls(Optional.of(tls))))) {
      assertThat(text(send(secured, message))).doesNotContain("ack");
      try (Socket socket = certificates.trusting().secure(connect(secured), "localhost")) {
        socket.getOutputStream().write(message);
        String ack = ack("c");
        byte[] answer = socket.getInputStream().readNBytes(ack.length());
        assertThat(new String(answer, StandardCharsets.ISO_8859_1)).isEqualTo(ack);
      }
      assertThat(StoredEvent.of(secured, 1))
          .extracting(StoredEvent::text)
          .containsExactly("{\"msg\":\"secret\"}");
    }
  }
}

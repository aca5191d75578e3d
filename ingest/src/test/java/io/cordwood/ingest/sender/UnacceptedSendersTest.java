package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders who have connected, as far as they know, and whom a node has not accepted yet. */
final class UnacceptedSendersTest {
  private static final int SENDERS = 100;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
  void whatTheyHaveSentIsStoredWhenTheNodeEnds(String bind) throws Exception {
    IngestOptions options =
        RunningNode.patient(RunningNode.options(folder))
            .with(new IngestOptions.Listening(bind, 0, 0, 2));
    var registry = new SimpleMeterRegistry();
    try (IngestNode node =
        IngestNode.start(
            options, Admission.OPEN, Filesystem.real(), registry, InstantSource.system())) {
      for (int i = 0; i < SENDERS; i++) {
        sendLine(node.fastPort());
        sendLine(node.durablePort());
      }
      node.startTaking();
      node.stopTaking();
    }
    assertThat(
            registry.find("cordwood_ingest_records_stored_total").counters().stream()
                .mapToDouble(Counter::count)
                .sum())
        .isEqualTo(2 * SENDERS);
  }

  private static void sendLine(int port) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("a line\n".getBytes(StandardCharsets.US_ASCII));
    }
  }
}

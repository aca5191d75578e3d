package io.cordwood.ingest.sender;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.cluster.SenderPorts;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders on real ports are told of other nodes if they ask for it, and only then. */
final class HintsOnPortsTest {
  private static final String ASK = "CORDWOOD/1 hints=1\n";
  private static final long FREE = 1L << 40;

  @TempDir private Path folder;

  private static NodeInfo other(int number, int connections) {
    return new NodeInfo(
            "other" + number,
            Set.of(Role.INGEST),
            "fe80::" + number,
            7650,
            0,
            new NodeLoad(connections, 2, 3, FREE, 0))
        .withSenderPorts(new SenderPorts(17651, 17652));
  }

  private RunningNode node(int maxConnections) throws IOException {
    return new RunningNode(
        RunningNode.options(folder)
            .with(
                new IngestOptions.Limits(
                    maxConnections,
                    64 << 20,
                    1 << 20,
                    Duration.ofHours(24),
                    Duration.ofMillis(1))));
  }

  private static BufferedReader ask(Socket socket) throws IOException {
    socket.getOutputStream().write(ASK.getBytes(US_ASCII));
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
  }

  private static List<String> lines(BufferedReader in, int count) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(String.valueOf(in.readLine()));
    }
    return lines;
  }

  @Test
  void whoAsksIsToldAtOnceOfTheNodeAndTheOthersOnItsModesPort() throws IOException {
    try (RunningNode node = node(100)) {
      node.node.tellSendersOf("self", () -> List.of(other(1, 0), other(2, 7)));
      try (Socket fast = node.connect();
          Socket durable = node.connectDurable()) {
        List<String> lines = lines(ask(fast), 3);
        assertThat(lines.getFirst()).matches("self self [12] [0-9]+ 0 [0-9]{6,}");
        assertThat(lines.subList(1, 3))
            .containsExactlyInAnyOrder(
                "node other1 [fe80::1]:17651 0 2 3 " + FREE,
                "node other2 [fe80::2]:17651 7 2 3 " + FREE);
        assertThat(lines(ask(durable), 3)).anyMatch(line -> line.contains("[fe80::1]:17652 "));
      }
    }
  }

  @Test
  void ofManyNodesSomeAreTold() throws IOException {
    List<NodeInfo> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(other(i % 9000, 0));
    }
    try (RunningNode node = node(100)) {
      node.node.tellSendersOf("self", () -> many);
      try (Socket socket = node.connectDurable()) {
        BufferedReader in = ask(socket);
        assertThat(lines(in, Hints.MAX_NODES + 1)).element(0).asString().startsWith("self self ");
        socket.getOutputStream().write("a line\n".getBytes(US_ASCII));
        assertThat(in.lines().filter(line -> !line.contains("other")).limit(1))
            .allMatch(line -> line.startsWith("self") || line.equals("ack 1"));
      }
    }
  }

  @Test
  void whoDoesNotAskIsToldNothing() throws IOException {
    try (RunningNode node = node(100)) {
      node.node.tellSendersOf("self", () -> List.of(other(1, 0)));
      assertThat(node.send("a line\n")).isEmpty();
      assertThat(node.send("CORDWOOD/1 topic=shop\na line\n")).isEmpty();
      assertThat(node.sendDurable("a line\n".getBytes(US_ASCII))).isEqualTo("ack 1\n");
    }
  }

  @Test
  void aNodeThatKnowsNobodyYetAnswersOnceItDoes() throws IOException {
    try (RunningNode node = node(100);
        Socket socket = node.connect()) {
      BufferedReader in = ask(socket);
      node.node.tellSendersOf("self", List::of);
      assertThat(in.readLine()).startsWith("self self ");
    }
  }

  @Test
  void aSenderOfANodeWithTooManyIsToldToGo() throws IOException {
    List<Socket> senders = new ArrayList<>();
    try (RunningNode node = node(100)) {
      node.node.tellSendersOf("self", () -> List.of(other(1, 0)));
      for (int i = 0; i < 6; i++) {
        senders.add(node.connect());
      }
      BufferedReader in = ask(senders.getFirst());
      assertThat(in.lines().anyMatch("go other1"::equals)).isTrue();
      assertThat(node.counted("senders_sent_on", "reason", "load")).isPositive();
      for (Socket sender : senders) {
        sender.close();
      }
    }
  }

  @Test
  void aNodeThatStopsTellsThoseWhoListenWhereToGo() throws IOException {
    try (RunningNode node = node(100);
        Socket listening = node.connectDurable();
        Socket other = node.connectDurable()) {
      node.node.tellSendersOf("self", () -> List.of(other(1, 50)));
      BufferedReader in = ask(listening);
      assertThat(lines(in, 2)).last().asString().startsWith("node other1 ");
      other.getOutputStream().write("a line\n".getBytes(US_ASCII));
      assertThat(other.getInputStream().readNBytes(6)).asString().isEqualTo("ack 1\n");
      node.node.stopTaking();
      assertThat(in.lines())
          .satisfiesExactly(
              self -> assertThat(self).matches("self self [0-9]+ [0-9]+ [0-9]+ 0"),
              told -> assertThat(told).startsWith("node other1 [fe80::1]:17652 "),
              told -> assertThat(told).isEqualTo("go other1"));
      assertThat(other.getInputStream().readAllBytes()).isEmpty();
      assertThat(node.counted("senders_sent_on", "reason", "stop")).isOne();
    }
  }

  @Test
  void aFullNodeTellsNewSendersWhereToGoAndTheRestThatItIsFull() throws IOException {
    String full = "error: expected at most 1 connections, found more";
    try (RunningNode node = node(1);
        Socket first = node.connect()) {
      assertThat(first.isConnected()).isTrue();
      await().until(() -> node.registry.get("cordwood_ingest_connections").gauge().value() == 1);
      node.node.tellSendersOf("self", () -> List.of(other(1, 1)));
      try (Socket second = node.connect()) {
        assertThat(ask(second).lines())
            .satisfiesExactly(
                self -> assertThat(self).startsWith("self self 1 "),
                told -> assertThat(told).startsWith("node other1 [fe80::1]:17651 1 "),
                told -> assertThat(told).startsWith("node other1 [fe80::1]:17651 1 "),
                told -> assertThat(told).isEqualTo("go other1"),
                told -> assertThat(told).isEqualTo(full));
      }
      for (String start : List.of("a line\n", "CORDWOOD/1 topic=shop\n", "CORDWOOD/1 hints=2\n")) {
        try (Socket another = node.connect()) {
          another.getOutputStream().write(start.getBytes(US_ASCII));
          var in = new BufferedReader(new InputStreamReader(another.getInputStream(), US_ASCII));
          assertThat(in.readLine()).isEqualTo(full);
        }
      }
      try (Socket silent = node.connect()) {
        var in = new BufferedReader(new InputStreamReader(silent.getInputStream(), US_ASCII));
        assertThat(in.readLine()).isEqualTo(full);
      }
      assertThat(node.counted("connections_refused")).isEqualTo(5);
      assertThat(node.counted("senders_sent_on", "reason", "bound")).isOne();
    }
  }
}

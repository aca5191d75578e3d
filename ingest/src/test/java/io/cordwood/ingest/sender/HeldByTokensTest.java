package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.ingest.node.Port;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Senders with tokens hold what is theirs and no more: connections, turns, a rate, time. */
final class HeldByTokensTest extends TokensOnPortsFixture {
  @Test
  void aTokenThatIsRemovedEndsItsOpenConnections() throws IOException {
    try (Socket socket = connect(Port.DURABLE)) {
      var in = socket.getInputStream();
      var out = socket.getOutputStream();
      out.write(joined("CORDWOOD/1 token=" + shop + " topic=shop-1\nfirst\n"));
      assertThat(new String(in.readNBytes(6), StandardCharsets.US_ASCII)).isEqualTo("ack 1\n");
      Object before = tokens.version();
      TokenFile.write(file, List.of());
      await().until(() -> !tokens.version().equals(before));
      out.write("second\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo("error: expected a token, found one not known here\n");
    }
  }

  @Test
  void aFullNodeTellsOfOthersToThoseWhoMaySendAlone() throws IOException {
    close();
    start(false, Token.NO_RATE, 1);
    try (Socket first = connect(Port.DURABLE)) {
      assertThat(first.isConnected()).isTrue();
      await().until(() -> node.registry.get("cordwood_ingest_connections").gauge().value() == 1);
      node.node.tellSendersOf("self", List::of);
      String full = "error: expected at most 1 connections, found more\n";
      assertThat(send(Port.DURABLE, "CORDWOOD/1 hints=1\n")).isEqualTo(full);
      assertThat(send(Port.FAST, "CORDWOOD/1 hints=1 token=" + reader + "\n")).isEqualTo(full);
      assertThat(send(Port.FAST, "CORDWOOD/1 hints=1 topic=other token=" + shop + "\n"))
          .isEqualTo(full);
      assertThat(send(Port.DURABLE, "CORDWOOD/1 hints=1 token=" + shop + "\n"))
          .startsWith("self self 1 ")
          .endsWith(full);
    }
  }

  /** More uploads of it than there are turns, each of which would take a minute and more. */
  @Test
  void uploadsOfATokenWithARateHoldUpNobodyElse() throws Exception {
    close();
    start(false, 10, MANY);
    List<Socket> slow = new ArrayList<>();
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      byte[] lines = ("x".repeat(99) + "\n").repeat(6000).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 6; i++) {
        Socket socket = connect(Port.BULK);
        slow.add(socket);
        senders.execute(() -> {
          try {
            socket.getOutputStream().write(joined("CORDWOOD/1 token=" + shop + " topic=shop-1\n"));
            socket.getOutputStream().write(lines);
          } catch (IOException e) {
            // closed at the end
          }
        });
      }
      await().until(() -> pauses() >= 6);
      assertThat(
              sendAndConsume(
                  Port.BULK, joined("CORDWOOD/1 token=" + free + " topic=shop-2\na line\n"), 1))
          .extracting(Batch::topic)
          .containsExactly(new Topic("shop-2"));
      assertThat(uploads("slow")).isZero();
      node.node.stopTaking();
      await().until(() -> uploads("closing") == 6);
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private double pauses() {
    return node.registry.counter("cordwood_ingest_token_pauses_total", "token", "shop").count();
  }

  private double uploads(String outcome) {
    return node.registry.counter("cordwood_ingest_uploads_total", "outcome", outcome).count();
  }

  @Test
  void sendersOfATokenAreReadAtItsRate() throws IOException {
    close();
    start(false, 100_000, MANY);
    byte[] preamble = joined("CORDWOOD/1 token=" + shop + " topic=shop-1\n");
    byte[] lines = ("x".repeat(99) + "\n").repeat(500).getBytes(StandardCharsets.US_ASCII);
    for (int connection = 0; connection < 2; connection++) {
      try (Socket socket = connect(Port.DURABLE)) {
        var out = socket.getOutputStream();
        out.write(preamble);
        out.write(lines);
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .endsWith("ack 500\n");
      }
    }
    assertThat(node.registry.counter("cordwood_ingest_token_pauses_total", "token", "shop").count())
        .isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void aSenderThatShowsNothingIsLetGo(Port port) throws IOException {
    close();
    patience = Duration.ofMillis(300);
    start();
    // Not if a connection was ended before something was written.
    await().untilAsserted(() -> assertBothAreLetGo(port));
  }

  private void assertBothAreLetGo(Port port) throws IOException {
    try (Socket silent = connect(port);
        Socket slow = connect(port)) {
      slow.getOutputStream().write("CORDWOOD/1 tok".getBytes(StandardCharsets.US_ASCII));
      for (Socket socket : List.of(silent, slow)) {
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("error: ")
            .contains("for too long");
      }
    }
  }

  /** Twice as many as are let go gently. */
  @ParameterizedTest
  @EnumSource
  void manyWrongTokensAreCountedAndOthersAreServed(Port port) throws Exception {
    int many = 1000;
    try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> wrong =
          Stream.generate(() -> attackers.submit(() -> sendWrong(port))).limit(many).toList();
      assertThat(send(Port.DURABLE, "CORDWOOD/1 token=" + shop + " topic=shop-1\na line\n"))
          .isEqualTo("ack 1\n");
      for (Future<String> each : wrong) {
        assertThat(each.get()).matches("(?s)(error: .*)?");
      }
    }
    await()
        .untilAsserted(() ->
            assertThat(
                    node.registry
                        .counter("cordwood_access_refused_total", "reason", "unknown")
                        .count())
                .isEqualTo(many));
  }

  /** What the node says; nothing, if it closed the connection before it was read. */
  private String sendWrong(Port port) {
    try {
      return send(port, "CORDWOOD/1 token=" + TokenText.random() + "\na line\n");
    } catch (IOException e) {
      return "";
    }
  }
}

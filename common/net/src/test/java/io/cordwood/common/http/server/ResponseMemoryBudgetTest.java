package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients who do not read hold so much memory of a server together, and no more. */
final class ResponseMemoryBudgetTest {
  private static final int CLIENTS = 30;
  private static final int MAX_HELD_BYTES = 1 << 20;
  private static final long LONG_BYTES = 64 << 20;
  private static final int LONG_BYTES_OF_A_FILE = 4 << 20;

  private final TestServer server =
      new TestServer(options -> options.withMaxHeldBytes(MAX_HELD_BYTES));
  private final AtomicLong accepted = new AtomicLong();
  private final List<Socket> clients = new ArrayList<>();

  @AfterEach
  void closeServer() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    server.close();
  }

  private void askWithoutReading(String path) throws IOException {
    var client = new Socket();
    clients.add(client);
    client.setReceiveBufferSize(4096);
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    TestServer.send(client, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  /** Writes much more than sockets hold. */
  private void addLong(String path, boolean narrow) {
    server.routes.get(
        path,
        (_, response) -> {
          byte[] piece = new byte[8 << 10];
          if (narrow) {
            response.narrow();
          }
          for (long written = 0; written < LONG_BYTES; written += piece.length) {
            response.body().write(piece);
            accepted.addAndGet(piece.length);
          }
        });
  }

  private double held() {
    return server.metric("cordwood_http_held_bytes");
  }

  private void awaitStandstill() {
    long[] last = {-1};
    await()
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          long before = last[0];
          last[0] = accepted.get();
          return before > 0 && before == last[0];
        });
  }

  @Test
  void clientsWhoDoNotReadHoldABoundedAmountAndTheOthersAreServed() throws IOException {
    addLong("/long", false);
    for (int i = 0; i < CLIENTS; i++) {
      askWithoutReading("/long");
    }
    awaitStandstill();
    assertThat(held())
        .isLessThanOrEqualTo(MAX_HELD_BYTES + CLIENTS * 3.0 * ResponseMemoryBudget.SMALL_BYTES);
    await().until(() -> held() > MAX_HELD_BYTES / 2.0);
    await().until(() -> server.metric("cordwood_http_narrowed_total") > 0);
    try (Socket another = server.connect()) {
      TestServer.send(another, "GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      assertThat(another.getInputStream().transferTo(OutputStream.nullOutputStream()))
          .isGreaterThan(LONG_BYTES);
    }
    for (Socket client : clients) {
      client.close();
    }
    await().until(() -> held() == 0);
  }

  @Test
  void narrowAnswersHoldThreeSmallPieces() throws IOException {
    addLong("/narrow", true);
    askWithoutReading("/narrow");
    awaitStandstill();
    await().until(() -> held() > 0);
    assertThat(held()).isLessThanOrEqualTo(3 * ResponseMemoryBudget.SMALL_BYTES);
  }

  @Test
  void nodesThatDoNotReadFilesHoldABoundedAmount(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("segment");
    Files.write(file, new byte[LONG_BYTES_OF_A_FILE]);
    server.addFile("/file", file);
    var answers = new ArrayList<PeerResponse>();
    try (var peers = PeerClient.forBulk(TestServer.LONG, TestServer.LONG, PeerCredentials.NONE)) {
      for (int i = 0; i < CLIENTS; i++) {
        answers.add(peers.get(server.uri("/file"), TestServer.LONG));
      }
      await().until(() -> held() > MAX_HELD_BYTES / 2.0);
      await().until(() -> server.metric("cordwood_http_narrowed_total") > 0);
      assertThat(held())
          .isLessThanOrEqualTo(MAX_HELD_BYTES + CLIENTS * 3.0 * ResponseMemoryBudget.SMALL_BYTES);
      for (PeerResponse answer : answers) {
        assertThat(answer.body().transferTo(OutputStream.nullOutputStream()))
            .isEqualTo(LONG_BYTES_OF_A_FILE);
      }
    }
    await().until(() -> held() == 0);
  }

  @Test
  void piecesThatAreLargerThanUsualLeaveHalfOfTheMemoryToOthers() {
    int large = 4 * ResponseMemoryBudget.USUAL_BYTES;
    var budget = new ResponseMemoryBudget(2L * large, new SimpleMeterRegistry());
    assertThat(budget.take(large)).isEqualTo(large);
    for (int i = 0; i < 4; i++) {
      assertThat(budget.take(large)).isEqualTo(ResponseMemoryBudget.USUAL_BYTES);
    }
    assertThat(budget.take(large)).isEqualTo(ResponseMemoryBudget.SMALL_BYTES);
    budget.release(large);
    assertThat(budget.take(large)).isEqualTo(ResponseMemoryBudget.USUAL_BYTES);
  }

  @Test
  void memoryIsTakenAndGivenBackToTheByte() {
    var registry = new SimpleMeterRegistry();
    var budget = new ResponseMemoryBudget(100_000, registry);
    assertThat(budget.take(65_536)).isEqualTo(65_536);
    assertThat(budget.take(65_536)).isEqualTo(ResponseMemoryBudget.SMALL_BYTES);
    assertThat(budget.take(ResponseMemoryBudget.SMALL_BYTES))
        .isEqualTo(ResponseMemoryBudget.SMALL_BYTES);
    var held = registry.get("cordwood.http.held.bytes").gauge();
    assertThat(held.value()).isEqualTo(65_536 + 2 * ResponseMemoryBudget.SMALL_BYTES);
    assertThat(registry.get("cordwood.http.narrowed").counter().count()).isEqualTo(1);
    budget.release(65_536);
    budget.release(2 * ResponseMemoryBudget.SMALL_BYTES);
    assertThat(held.value()).isZero();
  }
}

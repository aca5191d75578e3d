package io.cordwood.common.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls between nodes, and the connections that are kept for the next one. */
final class PeerClientTest {
  private static final Duration SHORT = Patience.millis(300);

  /** A request on a new connection comes within it. */
  private static final Duration IDLE = Patience.millis(1000);

  private static final String OPEN = "cordwood_http_connections ";
  private static final String IN_FLIGHT = "cordwood_http_requests_in_flight ";
  private static final String CLOSED_IDLE = "cordwood_http_idle_closed_total ";

  private final TestServer server = new TestServer();
  private final PeerClient peers = new PeerClient(TestServer.LONG, TestServer.LONG);
  private final CountDownLatch clientGone = new CountDownLatch(1);

  PeerClientTest() {
    server.routes.get(
        "/endless",
        (_, response) -> {
          response.whenClientGone(clientGone::countDown);
          response.body().write("half".getBytes(UTF_8));
          response.body().flush();
          TestServer.awaitLatch(clientGone);
        });
    server.routes.get(
        "/silent",
        Params.ANY,
        (_, response) -> {
          response.whenClientGone(clientGone::countDown);
          TestServer.awaitLatch(clientGone);
        });
    server.routes.post(
        "/told",
        Params.ANY,
        0,
        (request, response) -> response.text(200, request.requiredParam("a") + "\n"));
  }

  @AfterEach
  void close() {
    peers.close();
    clientGone.countDown();
    server.close();
  }

  private String ask(String path) throws IOException {
    try (PeerResponse reply = peers.get(server.uri(path), TestServer.LONG)) {
      return reply.status() + " " + new String(reply.body().readAllBytes(), UTF_8);
    }
  }

  @Test
  void connectionBeginsWithThePrefaceOfHttp2() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var first =
          new FutureTask<>(() -> {
            try (Socket socket = silent.accept()) {
              return new String(socket.getInputStream().readNBytes(14), UTF_8);
            }
          });
      Thread.ofVirtual().start(first);
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      assertThatThrownBy(() -> peers.get(uri, TestServer.LONG)).isInstanceOf(IOException.class);
      assertThat(first.get()).isEqualTo("PRI * HTTP/2.0");
    }
  }

  @Test
  void callsFollowEachOtherOnOneConnection() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertThat(ask("/livez")).startsWith("200 ");
      assertThat(ask("/nothing")).isEqualTo("404 error: no such path: /nothing\n");
      try (PeerResponse reply = peers.post(server.uri("/told?a=" + i), TestServer.LONG)) {
        assertThat(reply.body().readAllBytes()).isEqualTo((i + "\n").getBytes(UTF_8));
      }
    }
    assertThat(server.metric(OPEN)).isEqualTo(1);
  }

  @Test
  void callsAtTheSameTimeShareOneConnection() throws IOException {
    List<PeerResponse> replies = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      replies.add(peers.get(server.uri("/livez"), TestServer.LONG));
    }
    assertThat(server.metric(OPEN)).isEqualTo(1);
    for (PeerResponse reply : replies) {
      assertThat(reply.body().readAllBytes()).isNotEmpty();
    }
    assertThat(server.metric(OPEN)).isEqualTo(1);
  }

  @Test
  void bulkBytesHaveAConnectionBesideThatOfOtherCalls() throws IOException {
    try (var bulk = PeerClient.forBulk(TestServer.LONG, TestServer.LONG, PeerCredentials.NONE);
        PeerResponse large = bulk.get(server.uri("/livez"), TestServer.LONG)) {
      assertThat(ask("/livez")).startsWith("200 ");
      assertThat(large.body().readAllBytes()).isNotEmpty();
      assertThat(server.metric(OPEN)).isEqualTo(2);
    }
  }

  @Test
  void callBeyondThoseThatAPeerTakesOnAConnectionGoesOnAnother() throws IOException {
    try (var strict = new TestServer(options -> options.withMaxConcurrentStreams(2))) {
      List<PeerResponse> replies = new ArrayList<>();
      strict.routes.get("/some", (_, response) -> response.text(200, "some\n"));
      for (int i = 0; i < 5; i++) {
        replies.add(peers.get(strict.uri("/some"), TestServer.LONG));
      }
      for (PeerResponse reply : replies) {
        assertThat(reply.body().readAllBytes()).hasSize(5);
      }
      assertThat(strict.metric(OPEN)).isBetween(1.0, 3.0);
    }
  }

  @Test
  void answerThatNobodyReadsHoldsUpNoOther() throws IOException {
    byte[] bytes = new byte[8 << 20];
    server.routes.get("/large", (_, response) -> response.body().write(bytes));
    List<PeerResponse> unread = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      unread.add(peers.get(server.uri("/large"), TestServer.LONG));
    }
    try (PeerResponse reply = peers.get(server.uri("/large"), TestServer.LONG)) {
      assertThat(reply.body().readAllBytes()).hasSize(bytes.length);
    }
    unread.forEach(PeerResponse::close);
    await().until(() -> server.metric(IN_FLIGHT) == 0);
    assertThat(server.metric(OPEN)).isEqualTo(1);
  }

  @Test
  void peerThatClosedAConnectionThatWasKeptIsAskedOnANewOne() throws IOException {
    try (var impatient =
        new TestServer(options ->
            options.withTimeouts(IDLE, TestServer.LONG, TestServer.LONG, TestServer.LONG))) {
      URI uri = impatient.uri("/livez");
      for (int i = 1; i <= 2; i++) {
        try (PeerResponse reply = peers.get(uri, TestServer.LONG)) {
          assertThat(reply.body().readAllBytes()).isNotEmpty();
        }
        await().until(() -> impatient.metric(OPEN) == 0);
        assertThat(impatient.metric(CLOSED_IDLE)).isGreaterThanOrEqualTo(i);
      }
    }
  }

  @Test
  void callThatIsClosedBeforeItsEndIsBrokenOff() throws IOException {
    try (PeerResponse reply = peers.get(server.uri("/endless"), TestServer.LONG)) {
      assertThat(reply.body().read()).isEqualTo('h');
    }
    TestServer.awaitLatch(clientGone);
    assertThat(ask("/livez")).startsWith("200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/endless", "/silent"})
  void interruptOfAVirtualThreadBreaksTheCallOff(String path) throws InterruptedException {
    var failure = new AtomicReference<IOException>();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ask(path);
              } catch (IOException e) {
                failure.set(e);
              }
            });
    await().until(() -> server.metric(IN_FLIGHT) == 1);
    caller.interrupt();
    caller.join();
    TestServer.awaitLatch(clientGone);
    assertThat(failure.get()).isNotNull();
    await().until(() -> server.metric(IN_FLIGHT) == 0);
  }

  @Test
  void closingBreaksOffCallsThatRun() throws IOException {
    try (PeerResponse reply = peers.get(server.uri("/endless"), TestServer.LONG)) {
      peers.close();
      assertThatThrownBy(() -> reply.body().readAllBytes()).isInstanceOf(IOException.class);
    }
    TestServer.awaitLatch(clientGone);
    assertThatThrownBy(() -> ask("/livez")).isInstanceOf(IOException.class);
  }

  @Test
  void peerThatDoesNotAnswerTimesOut() {
    assertThatThrownBy(() -> peers.get(server.uri("/silent?q=a"), SHORT))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessage(
            "127.0.0.1:" + server.port() + "/silent: no answer within " + SHORT.toMillis() + " ms");
    TestServer.awaitLatch(clientGone);
  }

  @Test
  void bodyThatStopsTimesOut() {
    var end = new CountDownLatch(1);
    server.routes.get(
        "/half",
        (_, response) -> {
          response.body().write("half".getBytes(UTF_8));
          response.body().flush();
          TestServer.awaitLatch(end);
        });
    try (var impatient = new PeerClient(TestServer.LONG, SHORT)) {
      await().untilAsserted(() -> assertStops(impatient)); // the first half may take as long
    } finally {
      end.countDown();
    }
  }

  private void assertStops(PeerClient impatient) throws IOException {
    try (PeerResponse reply = impatient.get(server.uri("/half"), TestServer.LONG)) {
      assertThat(reply.body().readNBytes(4)).isEqualTo("half".getBytes(UTF_8));
      assertThatThrownBy(() -> reply.body().read())
          .isInstanceOf(HttpTimeoutException.class)
          .hasMessageContaining("received nothing for " + SHORT.toMillis() + " ms");
    }
  }

  @Test
  void trailersDoNotDisturbTheNextCall() throws IOException {
    server.routes.get(
        "/trailed",
        (_, response) -> {
          response.body().write("body".getBytes(UTF_8));
          response.trailer("complete", "yes");
        });
    for (int i = 0; i < 3; i++) {
      assertThat(ask("/trailed")).isEqualTo("200 body");
    }
    assertThat(server.metric(OPEN)).isEqualTo(1);
  }

  @Test
  void peersErrorLineAndHeadersAreAtHand() throws IOException {
    server.routes.get(
        "/busy",
        (_, response) -> {
          response.header("lease", "1500").header("name", "x1");
          throw HttpError.busy("not now", 3);
        });
    try (PeerResponse response = peers.get(server.uri("/busy"), TestServer.LONG)) {
      assertThat(response.status()).isEqualTo(503);
      assertThat(response.longHeader("Retry-After")).hasValue(3);
      assertThat(response.longHeader("lease")).hasValue(1500);
      assertThat(response.longHeader("name")).isEmpty();
      assertThat(response.longHeader("none")).isEmpty();
      assertThat(response.error()).isEqualTo("error: not now");
    }
  }

  @Test
  void transferIsByteExactAndStopsAtItsLimit(@TempDir Path folder) throws Exception {
    byte[] bytes = new byte[3_000_001];
    new Random(7).nextBytes(bytes);
    server.routes.get("/bytes", (_, response) -> response.body().write(bytes));
    for (int limit : new int[] {bytes.length, bytes.length - 1}) {
      Path copy = folder.resolve("copy" + limit);
      try (PeerResponse response = peers.get(server.uri("/bytes"), TestServer.LONG);
          FileChannel target =
              FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        if (limit == bytes.length) {
          assertThat(response.transferTo(target, limit)).isEqualTo(limit);
          assertThat(Files.readAllBytes(copy)).isEqualTo(bytes);
        } else {
          assertThatThrownBy(() -> response.transferTo(target, limit))
              .hasMessageContaining("expected at most " + limit + " bytes");
          assertThat(Files.size(copy)).isLessThanOrEqualTo(limit);
        }
      }
    }
  }

  @Test
  void peerThatIsNotThereIsNamed() {
    int port = FreePorts.next();
    assertThatThrownBy(
            () -> peers.get(URI.create("http://127.0.0.1:" + port + "/"), TestServer.LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("127.0.0.1:" + port + ": cannot connect");
  }
}

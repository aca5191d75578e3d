package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.VersionedClient;
import io.cordwood.common.http.client.PeerClient;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient.Version;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with as many connections as it takes is not taken for a dead one. */
final class SpareConnectionsTest {
  private static final int LIMIT = 3;

  private final TestServer server = new TestServer(options -> options.withLimits(LIMIT, 64));
  private final List<Socket> open = new ArrayList<>();

  @BeforeEach
  void addRoutes() {
    server.addEcho();
    server.routes.get("/store/records", (_, response) -> response.text(200, "of a store"));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    server.close();
  }

  private void fill(int connections) throws IOException {
    while (open.size() < connections) {
      open.add(server.connect());
    }
    await().until(() -> server.metric("cordwood_http_connections ") == connections);
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }

  private double refused() {
    return server.metric("cordwood_http_refused_total{limit=\"connections\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/-/healthy", "/-/ready?verbose", "/livez", "/readyz", "/ready", "/metrics"})
  void aFullNodeSaysHowItIsToOneMoreAndEndsItsConnection(String path) throws IOException {
    fill(LIMIT);
    assertThat(server.exchange(get(path)))
        .startsWith("HTTP/1.1 200 ")
        .contains("connection: close");
    assertThat(refused()).isZero();
  }

  @Test
  void atItsLimitItAnswersEverythingAndOneBeyondNothingElse() throws IOException {
    fill(LIMIT);
    Socket last = open.getLast();
    TestServer.send(last, get("/echo?q=at+the+limit"));
    assertThat(TestServer.readUntil(last, "limit")).startsWith("HTTP/1.1 200 ");
    String body = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";
    for (String request : List.of(get("/echo?q=beyond"), body + "x".repeat(100_000))) {
      assertThat(server.exchange(request))
          .startsWith("HTTP/1.1 503 ")
          .contains("connection: close")
          .endsWith("3 connections are open, try later\n");
    }
    assertThat(refused()).isEqualTo(2);
  }

  @Test
  void oneThatCameBeyondTheLimitIsAsGoodAsAnyOnceThereIsRoom() throws IOException {
    fill(LIMIT);
    try (Socket one = server.connect()) {
      await().until(() -> server.metric("cordwood_http_connections ") == LIMIT + 1);
      open.removeLast().close();
      await().until(() -> server.metric("cordwood_http_connections ") == LIMIT);
      for (int i = 0; i < 2; i++) {
        TestServer.send(one, get("/echo?q=room"));
        assertThat(TestServer.readUntil(one, "room")).startsWith("HTTP/1.1 200 ");
      }
    }
    assertThat(refused()).isZero();
  }

  @Test
  void nodesReachAFullNodeAndKeepTheirConnection() throws Exception {
    fill(LIMIT);
    try (var node = new PeerClient(TestServer.LONG, TestServer.LONG)) {
      for (int i = 0; i < 3; i++) {
        try (var answer = node.get(server.uri("/store/records"), TestServer.LONG)) {
          assertThat(answer.body()).hasContent("of a store");
        }
        assertThat(server.metric("cordwood_http_connections ")).isEqualTo(LIMIT + 1);
      }
    }
    assertThat(refused()).isZero();
  }

  @Test
  void healthIsSaidInHttp2Too() throws IOException {
    fill(LIMIT);
    try (var client = new VersionedClient(Version.HTTP_2)) {
      assertThat(client.get(server.uri("/livez"))).hasContent("ok\n");
      await().until(() -> server.metric("cordwood_http_connections ") == LIMIT);
      assertThat(client.get(server.uri("/echo?q=x")))
          .hasContent("error: 3 connections are open, try later\n");
    }
  }

  @Test
  void theSpareOnesHaveALimitToo() throws IOException {
    fill(LIMIT + Connections.SPARE);
    try (Socket more = server.connect()) {
      assertThat(more.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(refused()).isOne();
    open.removeLast().close();
    await().until(() -> server.exchange(get("/livez")).startsWith("HTTP/1.1 200 "));
  }
}

package io.cordwood.common.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.server.Response;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The few connections on which a node makes all calls to another one. */
final class PeerSharingTest {
  private static final int TAILS = 1024;
  private static final int QUERIES = 64;
  private static final int PULLS = 4;
  private static final int WINDOW_BYTES = 64 << 10;
  private static final int BULK_WINDOW_BYTES = 1 << 20;
  private static final long PULLED_BYTES = 1 << 30;
  private static final int ANSWER_BYTES = 3 << 20;
  private static final String OPEN = "cordwood_http_connections ";
  private static final String IN_FLIGHT = "cordwood_http_requests_in_flight ";

  private final TestServer server = new TestServer();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final PeerConnections connections = new PeerConnections(Optional.empty(), meters);
  private final PeerCredentials credentials = new PeerCredentials(NodeKeys.NONE, connections);
  private final PeerClient queries = new PeerClient(TestServer.LONG, TestServer.LONG, credentials);
  private final PeerClient tails = new PeerClient(TestServer.LONG, TestServer.LONG, credentials);
  private final PeerClient pulls =
      PeerClient.forBulk(TestServer.LONG, TestServer.LONG, credentials);
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<PeerResponse> running = new ArrayList<>();

  PeerSharingTest() {
    server.routes.get("/tail", (_, response) -> fill(response, WINDOW_BYTES));
    server.routes.get("/pull", (_, response) -> fill(response, BULK_WINDOW_BYTES));
    server.routes.get("/query", (_, response) -> response.body().write(new byte[ANSWER_BYTES]));
    server.routes.get(
        "/slow",
        (_, response) -> {
          response.body().write('a');
          response.body().flush();
          TestServer.awaitLatch(go);
        });
  }

  private final CountDownLatch windowsEmpty = new CountDownLatch(2);

  /** Fills the client's window, and has more to say. */
  private void fill(Response response, int windowBytes) throws IOException {
    response.body().write(new byte[windowBytes]);
    response.body().flush();
    await().until(response.taken()::getAsBoolean);
    windowsEmpty.countDown();
    for (long sent = windowBytes; sent < PULLED_BYTES; sent += WINDOW_BYTES) {
      response.body().write(new byte[WINDOW_BYTES]);
    }
  }

  @AfterEach
  void close() {
    go.countDown();
    running.forEach(PeerResponse::close);
    queries.close();
    tails.close();
    pulls.close();
    connections.close();
    server.close();
  }

  private void begin(int count, PeerClient client, String path) throws IOException {
    for (int i = 0; i < count; i++) {
      running.add(client.get(server.uri(path), TestServer.LONG));
    }
  }

  @Test
  void queriesTailsAndPullsTakeTwoConnections() throws IOException {
    begin(TAILS, tails, "/slow");
    begin(QUERIES, queries, "/slow");
    begin(PULLS, pulls, "/slow");
    assertThat(server.metric(IN_FLIGHT)).isEqualTo(TAILS + QUERIES + PULLS);
    assertThat(server.metric(OPEN)).isEqualTo(2);
    assertThat(meters.get("cordwood.peer.connections").gauge().value()).isEqualTo(2);
    assertThat(meters.get("cordwood.peer.calls").gauge().value())
        .isEqualTo(TAILS + QUERIES + PULLS);
    go.countDown();
    for (PeerResponse response : running) {
      assertThat(response.body().readAllBytes()).hasSize(1);
    }
    assertThat(server.metric(OPEN)).isEqualTo(2);
  }

  @Test
  void queryIsAnsweredWholeBesideAPullAndATailThatNobodyReads() throws IOException {
    begin(1, tails, "/tail");
    begin(1, pulls, "/pull");
    TestServer.awaitLatch(windowsEmpty);
    for (PeerClient client : List.of(queries, tails, pulls)) {
      try (PeerResponse answer = client.get(server.uri("/query"), TestServer.LONG)) {
        assertThat(answer.body().readAllBytes()).hasSize(ANSWER_BYTES);
      }
    }
    assertThat(server.metric(OPEN)).isEqualTo(2);
  }
}

package io.cordwood.common.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls with a body between nodes are HTTP/2, as those without one are. */
class UploadTest {
  private static final int BODY_BYTES = 3 << 20;
  private static final Duration WORTH = Duration.ofMillis(500);

  private TestServer server = at(0);
  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);

  private static TestServer at(int port) {
    return new TestServer(_ ->
        HttpServerOptions.at("127.0.0.1", port)
            .withTimeouts(
                TestServer.LONG, TestServer.LONG, TestServer.LONG, Duration.ofMillis(50)));
  }

  @BeforeEach
  void addRoutes() {
    server.routes.post(
        "/count",
        Long.MAX_VALUE,
        (request, response) -> {
          long bytes = request.body().transferTo(OutputStream.nullOutputStream());
          response.text(200, bytes + "\n");
        });
    server.routes.post(
        "/unread",
        Long.MAX_VALUE,
        (_, _) -> {
          throw new HttpError(409, "not this one");
        });
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private String upload() throws IOException {
    var body = BodyPublishers.ofByteArray(new byte[BODY_BYTES]);
    try (PeerResponse response = client.post(server.uri("/count"), body, TestServer.LONG)) {
      return new String(response.body().readAllBytes(), UTF_8);
    }
  }

  private double posts(String route, String version) {
    return server.registry.get("cordwood.http.requests").tags("method", "POST").counters().stream()
        .filter(c -> route.equals(c.getId().getTag("route")))
        .filter(c -> version.equals(c.getId().getTag("version")))
        .mapToDouble(c -> c.count())
        .sum();
  }

  private void awaitPosts(String route, int expected) {
    await().untilAsserted(() -> assertThat(posts(route, "2")).isEqualTo(expected));
    assertThat(posts(route, "1")).isZero();
  }

  @Test
  void manyAtOnceFromANewClientAreHttp2() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<String>> uploads = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        uploads.add(this::upload);
      }
      for (Future<String> upload : threads.invokeAll(uploads)) {
        assertThat(upload.get()).isEqualTo(BODY_BYTES + "\n");
      }
    }

    awaitPosts("/count", 24);
  }

  @Test
  void theFirstOneAfterTheConnectionWasClosedIsHttp2() throws IOException {
    assertThat(upload()).isEqualTo(BODY_BYTES + "\n");
    int port = server.port();
    server.close();
    server = at(port);
    addRoutes();

    assertThat(upload()).isEqualTo(BODY_BYTES + "\n");

    awaitPosts("/count", 1);
  }

  @Test
  void refusalThatDoesNotWaitForTheBodyIsHeard() throws IOException {
    for (int i = 0; i < 3; i++) {
      var body = BodyPublishers.ofByteArray(new byte[BODY_BYTES]);
      try (PeerResponse response = client.post(server.uri("/unread"), body, TestServer.LONG)) {
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.error()).isEqualTo("error: not this one");
      }
    }

    awaitPosts("/unread", 3);
  }

  @Test
  void bodyThatIsWorthNoWaitIsBrokenOffAlone() throws IOException {
    assertThat(upload()).isEqualTo(BODY_BYTES + "\n");
    var stuck = new CountDownLatch(1);
    server.routes.post("/stuck", Long.MAX_VALUE, (_, _) -> TestServer.awaitLatch(stuck));
    var pieces = List.of(new byte[BODY_BYTES]).iterator();
    long end = System.nanoTime() + WORTH.toNanos();
    try {
      assertThatThrownBy(() ->
              client.post(
                  server.uri("/stuck"),
                  pieces,
                  BODY_BYTES,
                  () -> System.nanoTime() < end,
                  TestServer.LONG))
          .hasMessageContaining("broken off");
      assertThat(upload()).isEqualTo(BODY_BYTES + "\n");
    } finally {
      stuck.countDown();
    }

    awaitPosts("/count", 2);
  }
}

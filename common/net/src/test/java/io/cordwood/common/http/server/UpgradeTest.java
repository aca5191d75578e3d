package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.RawHttp2;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection that becomes HTTP/2 on its first request. */
class UpgradeTest {
  private static final Duration SHORT = Patience.millis(1000);

  private TestServer server = new TestServer();

  @AfterEach
  void closeServer() {
    server.close();
  }

  @Test
  void requestIsAnsweredOnceThePrefaceCame() throws IOException {
    try (RawHttp2 client = RawHttp2.upgrade(server, "/livez")) {
      assertThat(client.typesUntilSilent(SHORT))
          .contains(RawHttp2.SETTINGS)
          .doesNotContain(RawHttp2.HEADERS, RawHttp2.DATA);
      client.sendPreface();
      assertThat(requireNonNull(client.await(RawHttp2.HEADERS)).stream()).isEqualTo(1);
      assertThat(requireNonNull(client.await(RawHttp2.DATA)).payload())
          .isEqualTo("ok\n".getBytes(UTF_8));
    }
  }

  @Test
  void otherStreamsFollowTheFirst() throws IOException {
    try (RawHttp2 client = RawHttp2.upgrade(server, "/livez")) {
      client.sendPreface();
      assertThat(requireNonNull(client.await(RawHttp2.DATA)).stream()).isEqualTo(1);
      client.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          3,
          RawHttp2.request("GET", "/livez"));
      assertThat(requireNonNull(client.await(RawHttp2.DATA)).stream()).isEqualTo(3);
    }
  }

  @Test
  void clientThatLeavesBeforeItsPrefaceIsNotAnswered() throws IOException {
    var asked = new CountDownLatch(1);
    server.routes.get("/asked", (_, _) -> asked.countDown());
    RawHttp2.upgrade(server, "/asked").close();
    await().untilAsserted(() -> assertThat(server.metric("cordwood_http_connections ")).isZero());
    assertThat(asked.getCount()).isEqualTo(1);
  }

  @Test
  void clientThatSendsNoPrefaceIsSentAway() throws IOException {
    server.close();
    server =
        new TestServer(
            o -> o.withTimeouts(SHORT, TestServer.LONG, TestServer.LONG, TestServer.LONG));
    try (RawHttp2 client = RawHttp2.upgrade(server, "/livez")) {
      client.awaitEnd();
    }
  }
}

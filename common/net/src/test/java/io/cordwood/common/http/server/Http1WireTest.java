package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 byte by byte: pipelining, framing, and clients that behave badly. */
final class Http1WireTest {
  private static final Duration SHORT = Patience.millis(300);

  private TestServer server = new TestServer();

  @AfterEach
  void closeServer() {
    server.close();
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }

  private static String lastGet(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  }

  private static String head(String requestLine, String... headers) {
    return requestLine + "\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
  }

  private void restart(HttpServerOptions options) {
    server.close();
    server = new TestServer(_ -> options);
  }

  private static HttpServerOptions options() {
    return HttpServerOptions.at("127.0.0.1", 0);
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    server.addEcho();
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      requests.append(get("/echo?q=<" + i + ">"));
      requests.append("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
    }
    String answers = server.exchange(requests + lastGet("/echo?q=last"));
    int at = 0;
    for (int i = 0; i < 500; i++) {
      at = answers.indexOf("<" + i + ">HTTP/1.1 200 OK", at);
      assertThat(at).as("answer %s", i).isPositive();
    }
    assertThat(answers).endsWith("last").contains("abcHTTP/1.1");
  }

  @Test
  void requestSentByteByByteIsAnswered() throws IOException {
    server.addEcho();
    try (Socket socket = server.connect()) {
      for (char c : lastGet("/echo?q=slow").toCharArray()) {
        TestServer.send(socket, String.valueOf(c));
      }
      assertThat(TestServer.readAll(socket)).startsWith("HTTP/1.1 200 OK").endsWith("slow");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
        "GET /livez HTTP/1.1\r\n\r\n",
        "GET /livez HTTP/1.1\nHost: x\n\n",
        "GET /livez HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
      })
  void malformedRequestIs400AndTheConnectionEnds(String request) throws IOException {
    server.addEcho();
    String answer = server.exchange(request);
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\r\n\r\nerror: ").endsWith("\n");
    assertThat(server.exchange(lastGet("/livez"))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void longRequestLineIs414AndLongHeadersAre431() throws IOException {
    assertThat(server.exchange(get("/" + "a".repeat(17_000)))).startsWith("HTTP/1.1 414 ");
    assertThat(
            server.exchange("GET / HTTP/1.1\r\nHost: x\r\na: " + "b".repeat(33_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
  }

  @Test
  void continueIsSentWhenTheHandlerReads() throws IOException {
    server.addEcho();
    try (Socket socket = server.connect()) {
      TestServer.send(
          socket,
          head(
              "POST /echo HTTP/1.1",
              "Content-Length: 3",
              "Expect: 100-continue",
              "Connection: close"));
      assertThat(TestServer.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100 Continue");
      TestServer.send(socket, "abc");
      assertThat(TestServer.readAll(socket)).startsWith("HTTP/1.1 200 OK").endsWith("abc");
    }
  }

  @Test
  void bodyTooLongIsRefusedWithoutContinue() throws IOException {
    server.addEcho();
    try (Socket socket = server.connect()) {
      TestServer.send(
          socket,
          "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
              + 3_000_000
              + "\r\n\r\n");
      assertThat(TestServer.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void chunkedBodyLongerThanAllowedIs413() throws IOException {
    server.routes.post(
        "/small",
        10,
        (request, response) -> response.text(200, "" + request.body().readAllBytes().length));
    assertThat(
            server.exchange(
                head("POST /small HTTP/1.1", "Transfer-Encoding: chunked")
                    + "b\r\nabcdefghijk\r\n0\r\n\r\n"
                    + lastGet("/livez")))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void bodyThatNobodyReadIsSkippedAndTheConnectionGoesOn() throws IOException {
    server.routes.post("/ignore", 1 << 20, (_, response) -> response.text(200, "ignored"));
    String answer =
        server.exchange(
            "POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + lastGet("/livez"));
    assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("ignoredHTTP/1.1 200 OK");
  }

  @Test
  void http10GetsAPlainBodyEndedByTheConnection() throws IOException {
    server.routes.get(
        "/stream",
        (_, response) -> {
          response.body().write("abc".getBytes(UTF_8));
          response.body().flush();
          response.trailer("lost", "yes").body().write("def".getBytes(UTF_8));
        });
    assertThat(server.exchange("GET /stream HTTP/1.0\r\n\r\n"))
        .endsWith("\r\n\r\nabcdef")
        .doesNotContain("chunked");
  }

  @Test
  void trailersFollowTheChunks() throws IOException {
    server.routes.get(
        "/stream",
        (_, response) -> {
          response.body().write("abc".getBytes(UTF_8));
          response.trailer("complete", "yes");
        });
    assertThat(server.exchange(lastGet("/stream")))
        .endsWith("\r\n\r\n3\r\nabc\r\n0\r\ncomplete: yes\r\n\r\n");
  }

  @Test
  void halfClosedConnectionCountsAsLeft() throws IOException {
    CountDownLatch started = new CountDownLatch(1);
    server.routes.get(
        "/wait",
        (_, response) -> {
          started.countDown();
          await().until(response::clientGone);
        });
    try (Socket socket = server.connect()) {
      TestServer.send(socket, get("/wait"));
      TestServer.awaitLatch(started);
      socket.shutdownOutput();
      assertThat(TestServer.readAll(socket)).isEmpty();
    }
    await().untilAsserted(() -> assertThat(server.metric("cordwood_http_connections ")).isZero());
  }

  @Test
  void idleConnectionIsClosed() throws IOException {
    restart(options().withTimeouts(SHORT, TestServer.LONG, TestServer.LONG, TestServer.LONG));
    try (Socket socket = server.connect()) {
      assertThat(TestServer.readAll(socket)).isEmpty();
    }
    awaitAnswer(get("/livez"), answer -> answer.endsWith("ok\n"));
    assertThat(server.metric("cordwood_http_idle_closed_total")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void slowHeadersAreCutOff() throws IOException {
    restart(options().withTimeouts(TestServer.LONG, SHORT, TestServer.LONG, TestServer.LONG));
    try (Socket socket = server.connect()) {
      TestServer.send(socket, "GET /livez HTTP/1.1\r\nHost:");
      assertThat(TestServer.readAll(socket)).isEmpty();
    }
  }

  @Test
  void stalledBodyIs408() throws IOException {
    restart(options().withTimeouts(SHORT, TestServer.LONG, TestServer.LONG, TestServer.LONG));
    server.addEcho();
    awaitAnswer(
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na",
        answer -> answer.startsWith("HTTP/1.1 408 "));
  }

  @Test
  void clientThatNeverReadsIsGivenUp() throws IOException {
    restart(options().withTimeouts(TestServer.LONG, TestServer.LONG, SHORT, TestServer.LONG));
    server.routes.get(
        "/endless",
        (_, response) -> {
          byte[] piece = new byte[1 << 16];
          while (true) {
            response.body().write(piece);
          }
        });
    try (Socket socket = server.connect()) {
      TestServer.send(socket, get("/endless"));
      await().until(() -> server.metric("cordwood_http_stalled_total") == 1);
      await().until(() -> server.metric("cordwood_http_requests_in_flight") == 0);
      assertThatThrownBy(() -> TestServer.readAll(socket)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void clientThatDoesNotReadTheLastBytesIsGivenUp() throws IOException {
    restart(options().withTimeouts(TestServer.LONG, TestServer.LONG, SHORT, TestServer.LONG));
    server.routes.get(
        "/long",
        (_, response) -> response.body().write(new byte[ResponseFlowControl.WINDOW_BYTES]));
    try (Socket socket = server.connect()) {
      for (int i = 0; i < 100; i++) {
        TestServer.send(socket, get("/long"));
      }
      await().until(() -> server.metric("cordwood_http_stalled_total") == 1);
      await().until(() -> server.metric("cordwood_http_requests_in_flight") == 0);
    }
  }

  @Test
  void longPollOutlivesTheIdleTimeout() throws IOException {
    restart(options().withTimeouts(SHORT, TestServer.LONG, TestServer.LONG, TestServer.LONG));
    server.routes.get(
        "/poll",
        (_, response) -> {
          await().pollDelay(SHORT.multipliedBy(4)).until(() -> true);
          response.text(200, "at last");
        });
    awaitAnswer(lastGet("/poll"), answer -> answer.endsWith("at last"));
  }

  /** A connection that is idle before the test comes to send anything is none of its business. */
  private void awaitAnswer(String request, Predicate<String> expected) {
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> server.exchange(request), expected);
  }

  @Test
  void connectionsAndRequestsOverTheLimitAreRefusedAndCounted() throws IOException {
    restart(options().withLimits(2, 1));
    var answer = new HeldAnswer();
    server.routes.get("/wait", answer);
    try (Socket first = server.connect();
        Socket second = server.connect()) {
      await().until(() -> server.metric("cordwood_http_connections ") == 2);
      assertThat(server.exchange(get("/wait")))
          .startsWith("HTTP/1.1 503 ")
          .contains("2 connections are open");
      TestServer.send(first, lastGet("/wait"));
      answer.awaitAsked();
      TestServer.send(second, get("/wait"));
      assertThat(TestServer.readUntil(second, "error: ")).startsWith("HTTP/1.1 503 ");
      answer.letGo();
      assertThat(TestServer.readAll(first)).endsWith("done");
    }
    assertThat(server.metric("cordwood_http_refused_total{limit=\"connections\"}")).isOne();
    assertThat(server.metric("cordwood_http_refused_total{limit=\"requests\"}")).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/-/healthy", "/-/ready?verbose", "/health", "/livez", "/metrics"})
  void aNodeWithoutRoomForRequestsAnswersHowItIs(String path) throws IOException {
    restart(options().withLimits(3, 1));
    var answer = new HeldAnswer();
    server.routes.get("/wait", answer);
    try (Socket busy = server.connect()) {
      TestServer.send(busy, lastGet("/wait"));
      answer.awaitAsked();
      try (Socket watching = server.connect()) {
        TestServer.send(watching, lastGet(path));
        assertThat(TestServer.readAll(watching)).startsWith("HTTP/1.1 200 ");
      }
      answer.letGo();
      assertThat(TestServer.readAll(busy)).endsWith("done");
    }
  }

  @Test
  void closeLetsRunningAnswersEnd() throws Exception {
    restart(
        options().withTimeouts(TestServer.LONG, TestServer.LONG, TestServer.LONG, TestServer.LONG));
    var answer = new HeldAnswer();
    server.routes.get("/wait", answer);
    try (Socket busy = server.connect();
        Socket idle = server.connect()) {
      TestServer.send(busy, get("/wait"));
      answer.awaitAsked();
      Thread closing = Thread.ofPlatform().start(server::close);
      assertThat(TestServer.readAll(idle)).isEmpty();
      answer.letGo();
      assertThat(TestServer.readAll(busy)).contains("connection: close").endsWith("done");
      closing.join();
    }
  }

  @Test
  void closeEndsAnswersThatOutlastTheGrace() throws Exception {
    restart(options().withTimeouts(TestServer.LONG, TestServer.LONG, TestServer.LONG, SHORT));
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    server.routes.get(
        "/wait",
        (_, response) -> {
          started.countDown();
          await().until(response::clientGone);
          gone.countDown();
        });
    try (Socket busy = server.connect()) {
      TestServer.send(busy, get("/wait"));
      TestServer.awaitLatch(started);
      server.close();
      TestServer.awaitLatch(gone);
    }
  }

  /** An answer that waits until it is let go. */
  private static final class HeldAnswer implements Handler {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public void handle(Request request, Response response) throws IOException {
      asked.countDown();
      TestServer.awaitLatch(go);
      response.text(200, "done");
    }

    void awaitAsked() {
      TestServer.awaitLatch(asked);
    }

    void letGo() {
      go.countDown();
    }
  }
}

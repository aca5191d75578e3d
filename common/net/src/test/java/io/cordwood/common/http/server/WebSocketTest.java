package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.BufferLeaks;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.testing.Patience;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(BufferLeaks.Watch.class)
final class WebSocketTest {
  private static final String ASK =
      ("GET /talk HTTP/1.1~Host: x~Connection: keep-alive, Upgrade~Upgrade: WebSocket~"
              + "Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~~")
          .replace("~", "\r\n");

  private TestServer server = new TestServer();
  private final LinkedBlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();

  @BeforeEach
  void addRoute() {
    server.routes.get("/talk", Params.ANY, this::talk);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void talk(Request request, Response response) throws IOException {
    var ended = new CountDownLatch(1);
    WebSocket socket = WebSocket.accept(request, response);
    socket.whenEnded(ended::countDown);
    sockets.add(socket);
    try {
      ended.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private WebSocket accepted() throws InterruptedException {
    return sockets.poll(Patience.LONG.toSeconds(), TimeUnit.SECONDS);
  }

  /** Keeps what a client of the JDK hears. */
  private static final class Heard implements java.net.http.WebSocket.Listener {
    final List<String> texts = new ArrayList<>();
    final StringBuilder part = new StringBuilder();
    final CompletableFuture<String> end = new CompletableFuture<>();

    @Override
    public @Nullable CompletionStage<?> onText(
        java.net.http.WebSocket socket, CharSequence data, boolean last) {
      synchronized (texts) {
        part.append(data);
        if (last) {
          texts.add(part.toString());
          part.setLength(0);
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(
        java.net.http.WebSocket socket, int code, String reason) {
      end.complete(code + " " + reason);
      return null;
    }
  }

  @Test
  void textsOfAllLengthsAreSentUntilEitherSideEnds() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      for (boolean clientEnds : List.of(true, false)) {
        var heard = new Heard();
        java.net.http.WebSocket client =
            http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/talk"), heard)
                .get();
        WebSocket socket = accepted();
        List<String> sent =
            List.of(
                "", "é", "x".repeat(125), "x".repeat(126), "y".repeat(65_535), "z".repeat(1 << 20));
        client.sendText("is not looked at", false).get();
        for (String text : sent) {
          socket.send(text);
        }
        client.sendPing(ByteBuffer.wrap(new byte[] {1})).get();
        await()
            .untilAsserted(() -> {
              synchronized (heard.texts) {
                assertThat(heard.texts).isEqualTo(sent);
              }
            });
        if (clientEnds) {
          client.sendClose(1000, "enough").get();
        } else {
          socket.close(WebSocket.GOING_AWAY, "this node stops");
          assertThat(heard.end.get()).isEqualTo("1001 this node stops");
        }
        await().until(socket::isEnded);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /talk HTTP/1.1~Host: x~~ | 426 Upgrade Required",
        "GET /talk HTTP/1.1~Host: x~Upgrade: websocket~Connection: close~~ | 426 Upgrade Required",
        "GET /talk HTTP/1.1~Host: x~Upgrade: websocket~Connection: upgrade"
            + "~Sec-WebSocket-Version: 8~~ | expected a WebSocket of version 13, found version 8",
        "GET /talk HTTP/1.1~Host: x~Upgrade: websocket~Connection: upgrade"
            + "~Sec-WebSocket-Version: 13~Sec-WebSocket-Key: short~~ | 400 Bad Request",
      })
  void whatAsksForNoWebSocketIsToldSo(String request, String answer) throws IOException {
    try (Socket socket = server.connect()) {
      TestServer.send(socket, request.replace("~", "\r\n"));
      assertThat(TestServer.readUntil(socket, answer)).startsWith("HTTP/1.1 4");
    }
  }

  @Test
  void whoSpeaksHttp2IsToldOfHttp1() throws Exception {
    try (var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(server.uri("/talk")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("expected HTTP/1.1, as a WebSocket begins, found HTTP/2");
    }
  }

  /** An unmasked frame, a reserved bit, a long ping, one in pieces, a length that is none. */
  @ParameterizedTest
  @CsvSource({"8100", "f180abcdabcd", "89fe00ffabcdabcd", "0980abcdabcd", "82ffffffffffffffffff"})
  void framesThatAreNoneEndIt(String hex) throws Exception {
    try (Socket socket = server.connect()) {
      TestServer.send(socket, ASK);
      var in = new DataInputStream(socket.getInputStream());
      assertThat(head(in)).contains("101 Switching", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
      for (int i = 0; i < hex.length(); i += 2) {
        socket.getOutputStream().write(Integer.parseInt(hex.substring(i, i + 2), 16));
      }
      assertThat(in.readUnsignedByte()).isEqualTo(0x88);
      int length = in.readUnsignedByte();
      assertThat(in.readUnsignedShort()).isEqualTo(1002);
      in.skipNBytes(length - 2);
      assertThat(in.read()).isNegative();
    }
  }

  private static String head(DataInputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  @Test
  void whoAnswersNoPingIsGivenUp() throws Exception {
    server.close();
    Duration idle = Patience.millis(400);
    server =
        new TestServer(options ->
            options.withTimeouts(idle, Patience.LONG, Patience.LONG, Duration.ofSeconds(1)));
    addRoute();
    try (Socket socket = await().until(this::talking, _ -> true)) {
      var in = new DataInputStream(socket.getInputStream());
      for (int i = 0; i < 3; i++) {
        assertThat(in.readUnsignedShort()).isEqualTo(0x8900);
      }
      assertThat(in.readUnsignedByte()).isEqualTo(0x88);
      in.skipNBytes(1);
      assertThat(in.readUnsignedShort()).isEqualTo(1008);
      await().until(accepted()::isEnded);
    }
  }

  /** Fails if the connection was idle for too long before the server had the request. */
  private Socket talking() throws IOException {
    Socket socket = server.connect();
    TestServer.send(socket, ASK);
    assertThat(head(new DataInputStream(socket.getInputStream()))).contains("101");
    return socket;
  }

  @Test
  void whatIsSentTooEarlyEndsTheConnection() throws IOException {
    try (Socket socket = server.connect()) {
      socket.getOutputStream().write((ASK + "GET /talk HTTP/1.1\r\n\r\n").getBytes(ISO_8859_1));
      assertThat(TestServer.readAll(socket)).doesNotContain("HTTP/1.1 426");
    }
  }
}

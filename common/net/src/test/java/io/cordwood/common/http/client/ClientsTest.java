package io.cordwood.common.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says when a node does not answer as it should. */
class ClientsTest {
  private static final Duration SHORT = Patience.millis(300);

  private final TestServer server = new TestServer();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void closeServer() {
    never.countDown();
    server.close();
  }

  private void addStuck() {
    server.routes.get("/stuck", (_, _) -> awaitNever());
  }

  private void awaitNever() {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void addTrailed() {
    server.routes.get(
        "/trailed",
        (_, response) -> {
          response.body().write("body".getBytes(UTF_8));
          response.trailer("complete", "yes");
        });
  }

  @Test
  void commandLineReadsHeadersBodyAndTrailers() throws IOException {
    addTrailed();
    CliClient client = new CliClient(TestServer.LONG, TestServer.LONG);
    try (CliClient.Answer answer = client.get(server.uri("/trailed"))) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().readAllBytes()).isEqualTo("body".getBytes(UTF_8));
      assertThat(answer.header("complete")).isEqualTo("yes");
    }
    try (CliClient.Answer answer = client.get(server.uri("/nothing"))) {
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body().readAllBytes())
          .isEqualTo("error: no such path: /nothing\n".getBytes(UTF_8));
    }
    try (CliClient.Answer answer = client.head(server.uri("/livez"))) {
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  /** Asks in HTTP/1.0 and gives what comes until the end, as proxies do that know no trailers. */
  private static void pass(ServerSocket proxy, int port) {
    try (Socket client = proxy.accept();
        Socket node = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request = "";
      while (!request.endsWith("\r\n\r\n")) {
        request += (char) client.getInputStream().read();
      }
      TestServer.send(node, request.replaceFirst("HTTP/1.1", "HTTP/1.0"));
      node.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "body", "a\n", "#\n", "a\n#0123456789abcdef complete=no&\n"})
  void commandLineReadsTrailersThatAProxyDrops(String body) throws IOException {
    server.routes.get(
        "/trailed",
        (_, response) -> {
          response.body().write(body.repeat(50_000).getBytes(UTF_8));
          response.trailer("complete", "yes; 100 %");
        });
    // The proxy takes one connection, so the client must not look whether the node is alive.
    var client =
        new CliClient(TestServer.LONG, TestServer.LONG, _ -> {}, TestServer.LONG, TestServer.LONG);
    try (var proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> pass(proxy, server.port()));
      var uri = URI.create("http://127.0.0.1:" + proxy.getLocalPort() + "/trailed");
      try (CliClient.Answer answer = client.get(uri)) {
        assertThat(answer.header("x-accel-buffering")).isEqualTo("no");
        assertThat(answer.body().readAllBytes()).asString().isEqualTo(body.repeat(50_000));
        assertThat(answer.header("complete")).isEqualTo("yes; 100 %");
      }
    }
  }

  @Test
  void commandLineSaysWhatToCheck() throws IOException {
    addStuck();
    CliClient client = new CliClient(SHORT, SHORT);
    URI uri = URI.create("http://127.0.0.1:" + FreePorts.next() + "/query");
    assertThatThrownBy(() -> client.get(uri))
        .hasMessageContaining(uri.getAuthority())
        .hasMessageContaining("is a node running there");
    assertThatThrownBy(() -> client.get(server.uri("/stuck")))
        .hasMessageContaining("127.0.0.1:" + server.port())
        .hasCauseInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void aNodeThatHangsIsGivenUpAndOneThatSearchesForLongIsNot() throws Exception {
    var said = new ArrayList<String>();
    var client = new CliClient(TestServer.LONG, TestServer.LONG, said::add, SHORT, SHORT);
    try (var stopped = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String node = "127.0.0.1:" + stopped.getLocalPort();
      assertThatThrownBy(() -> client.get(URI.create("http://" + node + "/query")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(node + ": no answer for")
          .hasMessageContaining("it hangs, or is stopped");
    }
    var probed = new CountDownLatch(3);
    try (var searching = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answerWhen(probed, searching));
      String node = "http://127.0.0.1:" + searching.getLocalPort();
      var patient =
          new CliClient(TestServer.LONG, TestServer.LONG, said::add, SHORT, TestServer.LONG);
      try (CliClient.Answer answer = patient.get(URI.create(node + "/query"))) {
        assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("found");
      }
    }
    assertThat(said).hasSize(2);
  }

  /** A node that answers a query once it was asked several times whether it is alive. */
  private static void answerWhen(CountDownLatch probed, ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket, probed));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private static void answer(Socket socket, CountDownLatch probed) {
    try (socket) {
      byte[] request = new byte[1024];
      int length = socket.getInputStream().read(request);
      if (new String(request, 0, length, UTF_8).contains(ApiPaths.HEALTHY)) {
        probed.countDown();
      } else {
        await(probed);
      }
      String answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfound";
      socket.getOutputStream().write(answer.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

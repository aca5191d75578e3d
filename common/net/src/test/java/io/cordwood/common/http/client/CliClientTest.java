package io.cordwood.common.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line makes of answers, those of no node among them. */
final class CliClientTest {
  /** Never looks whether a node is alive, since those here take one connection. */
  private final CliClient client =
      new CliClient(TestServer.LONG, TestServer.LONG, _ -> {}, TestServer.LONG, TestServer.LONG);

  /** Answers one call with bytes, and then closes the connection. */
  private record Canned(ServerSocket server) implements AutoCloseable {
    static Canned of(String answer) throws IOException {
      var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(() -> answer(server, answer));
      return new Canned(server);
    }

    private static void answer(ServerSocket server, String answer) {
      try (Socket socket = server.accept();
          OutputStream out = socket.getOutputStream()) {
        byte[] head = new byte[4096];
        int count = 0;
        while (!new String(head, 0, count, ISO_8859_1).endsWith("\r\n\r\n")) {
          count += Math.max(0, socket.getInputStream().read(head, count, head.length - count));
        }
        for (byte each : answer.getBytes(ISO_8859_1)) {
          out.write(each);
        }
      } catch (IOException e) {
        // The client has left, as it should from some answers.
      }
    }

    URI uri() {
      return URI.create("http://localhost:" + server.getLocalPort() + "/query?q=a");
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HTTP/1.1 200 OK^Content-Length: 3^^abcdef | abc
          HTTP/1.1 200 OK^Content-Length: 0^^abc | ''
          HTTP/1.0 200 OK^^abc | abc
          HTTP/1.1 100 Continue^^HTTP/1.1 200^content-length:2^^ab | ab
          HTTP/1.1 200 OK^Transfer-Encoding: chunked^^3^abc^a;x=1^0123456789^0^^ | abc0123456789
          HTTP/1.1 200 OK^Transfer-Encoding: Chunked^^1^a^0^Verdict: x^Verdict: y^^ | a
          """)
  void bodiesEndWhereTheyDo(String answer, String body) throws IOException {
    try (Canned canned = Canned.of(answer.replace("^", "\r\n"));
        CliClient.Answer answered = client.get(canned.uri())) {
      assertThat(answered.body().readAllBytes()).isEqualTo(body.getBytes(ISO_8859_1));
      assertThat(answered.body().read()).isEqualTo(-1);
    }
  }

  @Test
  void silenceIsToldAndTheCallGoesOn() throws IOException {
    var told = new LinkedBlockingQueue<String>();
    Duration usual = Duration.ofSeconds(3);
    var patient =
        new CliClient(TestServer.LONG, TestServer.LONG, told::add, usual, TestServer.LONG);
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var uri = URI.create("http://localhost:" + server.getLocalPort() + "/");
      Thread.ofVirtual().start(() -> answerOnceTold(server, told));
      try (CliClient.Answer answered = patient.get(uri)) {
        assertThat(answered.body().readAllBytes()).isEqualTo("late".getBytes(ISO_8859_1));
      }
      assertThat(told)
          .containsExactly(uri.getAuthority() + ": no answer for 3 s; is this its API port?");
    }
  }

  private static void answerOnceTold(ServerSocket server, BlockingQueue<String> told) {
    try (Socket socket = server.accept()) {
      await().until(() -> !told.isEmpty());
      try (Socket whetherAlive = server.accept()) {
        answer(whetherAlive, "");
      }
      answer(socket, "late");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(Socket socket, String body) throws IOException {
    assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
    socket.getOutputStream().write(("HTTP/1.1 200 OK\r\n\r\n" + body).getBytes(ISO_8859_1));
  }

  @Test
  void trailersAreFieldsOnceTheBodyIsRead() throws IOException {
    String answer =
        """
        HTTP/1.1 200 OK^Transfer-Encoding: chunked^Verdict: no^^1^a^0^Verdict: x^Other: y^^\
        """
            .replace("^", "\r\n");
    try (Canned canned = Canned.of(answer);
        CliClient.Answer answered = client.get(canned.uri())) {
      assertThat(answered.header("verdict")).isEqualTo("no");
      answered.body().readAllBytes();
      assertThat(answered.header("VERDICT")).isEqualTo("no, x");
      assertThat(answered.header("Other")).isEqualTo("y");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SSH-2.0-OpenSSH_9.6^ | expected an answer in HTTP/1.1
          HTTP/1.1 abc^^ | expected an answer in HTTP/1.1
          HTTP/1.1 200 OK^Content-Le | the end of the connection
          HTTP/1.1 200 OK^nothing^^ | expected a header field
          HTTP/1.1 200 OK^Content-Length: -1^^ | the length of a body
          HTTP/1.1 200 OK^Content-Length: 9^^abc | ended before the answer did
          HTTP/1.1 200 OK^Transfer-Encoding: chunked^^3^abc^ | the end of the connection
          HTTP/1.1 200 OK^Transfer-Encoding: chunked^^5^abc | ended before the answer did
          HTTP/1.1 200 OK^Transfer-Encoding: chunked^^x^abc | the length of a body
          """)
  void whatIsNoWholeAnswerIsSaid(String answer, String expected) throws IOException {
    try (Canned canned = Canned.of(answer.replace("^", "\r\n"))) {
      assertThatThrownBy(
              () -> {
                try (CliClient.Answer answered = client.get(canned.uri())) {
                  answered.body().readAllBytes();
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"a: b^, 300, fields", "x, 400000, bytes"})
  void headsAreBounded(String part, int times, String expected) throws IOException {
    try (Canned canned =
        Canned.of("HTTP/1.1 200 OK\r\n" + part.repeat(times).replace("^", "\r\n"))) {
      assertThatThrownBy(() -> client.get(canned.uri())).hasMessageContaining(expected);
    }
  }
}

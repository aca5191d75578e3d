package io.cordwood.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parameters in a form are those of the request, by either client. */
final class FormTest {
  private final TestServer server = new TestServer();

  @BeforeEach
  void answerWithWhatIsAsked() {
    server.routes.getOrForm(
        "/echo",
        Params.of("q", "topic"),
        (request, response) ->
            response.text(200, request.method() + " " + String.join("|", request.params("q"))));
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  private String post(String path, String form) throws IOException {
    URI uri = server.uri(path);
    try (var answer = new CliClient(TestServer.LONG, TestServer.LONG).postForm(uri, form)) {
      return answer.status()
          + " "
          + new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void parametersOfAFormJoinThoseOfTheAddress() throws IOException {
    assertThat(post("/echo", "q=a+b&q=%C3%A9&topic=1")).isEqualTo("200 POST a b|é");
    assertThat(post("/echo?q=first", "q=second")).isEqualTo("200 POST first|second");
    assertThat(post("/echo?q=first", "")).isEqualTo("200 POST first");
  }

  @Test
  void parametersAreUtf8EscapedOrNotAndAnythingElseIsRefused() throws IOException {
    assertThat(server.exchange("GET /echo?q=%C3%A9\u00c3\u00a9 HTTP/1.0\r\n\r\n"))
        .endsWith("GET \u00c3\u00a9\u00c3\u00a9");
    assertThat(post("/echo?q=fine", "q=a%FFb"))
        .isEqualTo("400 error: parameter q: expected UTF-8, found the byte 0xFF\n");
    assertThat(post("/echo?q=%C3", ""))
        .contains("parameter q: expected UTF-8, found the byte 0xC3");
    assertThat(post("/echo?q=%ED%A0%80", "")).contains("found the byte 0xED");
    assertThat(post("/echo?q=x&topic=%FF", "")).isEqualTo("200 POST x");
  }

  @Test
  void whatThePathHasNotIsRefusedWithWhatItHas() throws IOException {
    String refusal =
        "400 error: parameter topc: /echo has none; did you mean topic? It has q, topic";
    assertThat(post("/echo?q=x&topc=a", "")).isEqualTo(refusal + "\n");
    assertThat(post("/echo?q=x", "topc=a")).isEqualTo(refusal + "\n");
    assertThat(post("/echo?q=x&limit=3", "limit=3"))
        .isEqualTo("400 error: parameter limit: /echo has none; it has q, topic\n");
    assertThat(post("/echo?%C3%A9%0A%FF", ""))
        .isEqualTo("400 error: parameter é?\ufffd: /echo has none; it has q, topic\n");
    assertThat(post("/echo", "x".repeat(200_000)))
        .isEqualTo(
            "400 error: parameter " + "x".repeat(100) + "…: /echo has none; it has q, topic\n");
  }

  @Test
  void pathsWithoutParametersRefuseAnyAndThoseOfNodesAndProbesNone() throws IOException {
    server.routes.get("/plain", (_, response) -> response.text(200, "plain"));
    server.routes.get("/node", Params.ANY, (_, response) -> response.text(200, "node"));
    assertThat(server.exchange("GET /plain?a=1 HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .endsWith("\r\n\r\nerror: parameter a: /plain has none\n");
    assertThat(server.exchange("GET /plain? HTTP/1.0\r\n\r\n")).endsWith("plain");
    assertThat(server.exchange("GET /node?of=tomorrow HTTP/1.0\r\n\r\n")).endsWith("node");
    assertThat(server.exchange("GET /readyz?verbose HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void peersPostFormsToo() throws IOException {
    try (var client = new PeerClient(Duration.ofSeconds(5), TestServer.LONG);
        PeerResponse answer = client.postForm(server.uri("/echo"), "q=x", TestServer.LONG)) {
      assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("POST x");
    }
  }

  @Test
  void badFormsAreRefused() throws IOException {
    assertThat(post("/echo", "q=%zz")).startsWith("400 error: parameters: expected %XX escapes");
    assertThat(post("/echo?q=1", String.join("&", Collections.nCopies(1100, "q=x"))))
        .startsWith("400 error: expected at most 1100 parameters");
    assertThat(post("/echo", "q=" + "x".repeat(Routes.MAX_FORM_BYTES)))
        .startsWith("413 error: body: expected at most 262144 bytes");
    String text = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n";
    assertThat(server.exchange(text + "Content-Length: 3\r\nConnection: close\r\n\r\nq=x"))
        .startsWith("HTTP/1.1 415 ")
        .contains(
            "content-type: expected application/x-www-form-urlencoded or application/json, found");
  }
}

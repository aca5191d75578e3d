package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Routing, errors and headers, the same over HTTP/1.1 and HTTP/2. */
class HttpServerTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void closeServer() {
    server.close();
  }

  private HttpResponse<String> call(Version version, String method, String uri, String body)
      throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri(uri))
              .timeout(TestServer.LONG)
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.version()).isEqualTo(body.isEmpty() ? version : Version.HTTP_1_1);
      return response;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void shortAnswerHasItsLength(Version version) throws Exception {
    server.routes.get("/hello", (_, response) -> response.text(200, "hello\n"));
    HttpResponse<String> answer = call(version, "GET", "/hello", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello\n");
    assertThat(answer.headers().firstValue("content-length")).hasValue("6");
  }

  @Test
  void anotherPortAnswersItsOwnPathsOnly() throws Exception {
    server.routes.get("/here", (_, response) -> response.text(200, "here"));
    Routes others = new Routes().get("/there", (_, response) -> response.text(200, "there"));
    var options = HttpServerOptions.at("127.0.0.1", 0);
    try (var http = HttpServer.start(options, server.routes, server.registry)) {
      int other = http.listenAlso(0, others);
      assertThat(status(http.port(), "/here")).isEqualTo(200);
      assertThat(status(http.port(), "/there")).isEqualTo(404);
      assertThat(status(other, "/here")).isEqualTo(404);
      assertThat(status(other, "/there")).isEqualTo(200);
      assertThatThrownBy(() -> http.listenAlso(other, others))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + other);
    }
  }

  private static int status(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + port + path);
      return client
          .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void aNodeThatHasToBeRestartedIsNotHealthy() throws Exception {
    assertThat(call(Version.HTTP_1_1, "GET", "/-/healthy", "").body()).isEqualTo("ok\n");
    server.death = Optional.of("the flusher has failed");
    for (String path : List.of("/-/healthy", "/livez", "/health")) {
      HttpResponse<String> answer = call(Version.HTTP_1_1, "GET", path, "");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).isEqualTo("error: not healthy: the flusher has failed\n");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void unknownPathIs404(Version version) throws Exception {
    HttpResponse<String> answer = call(version, "GET", "/nothing?here", "");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("error: no such path: /nothing\n");
    server.routes.get("/topics", (_, response) -> response.text(200, ""));
    assertThat(call(version, "GET", "/topic", "").body())
        .isEqualTo("error: no such path: /topic; did you mean /topics?\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void wrongMethodIs405AndNamesTheRightOnes(Version version) throws Exception {
    HttpResponse<String> answer = call(version, "DELETE", "/metrics", "");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
    assertThat(answer.body()).startsWith("error: ").hasLineCount(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void headHasTheLengthAndNoBody(Version version) throws Exception {
    HttpResponse<String> answer = call(version, "HEAD", "/livez", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-length")).hasValue("3");
    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void streamedHeadHasNoBody(Version version) throws Exception {
    server.routes.head(
        "/stream",
        Params.NONE,
        (_, response) -> {
          response.body().write("abc".getBytes(UTF_8));
          response.body().flush();
          response.body().write("def".getBytes(UTF_8));
        });
    assertThat(call(version, "HEAD", "/stream", "").body()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void badParameterIs400AndSaysWhatWasExpectedAndFound(Version version) throws Exception {
    server.routes.get(
        "/typed",
        Params.of("limit", "wait"),
        (request, response) ->
            response.text(200, request.longParam("limit") + " " + request.durationParam("wait")));
    assertThat(call(version, "GET", "/typed?wait=xyz", "").body())
        .startsWith("error: parameter wait: expected a duration");
    HttpResponse<String> answer = call(version, "GET", "/typed?limit=many", "");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo("error: parameter limit: expected a whole number, found \"many\"\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void failingHandlerIs500AndTheServerGoesOn(Version version) throws Exception {
    server.routes.get(
        "/broken",
        (_, _) -> {
          throw new IllegalStateException("on purpose");
        });
    HttpResponse<String> answer = call(version, "GET", "/broken", "");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).startsWith("error: internal error").doesNotContain("on purpose");
    assertThat(call(version, "GET", "/livez", "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void bodyLongerThanTheRouteAllowsIs413(Version version) throws Exception {
    server.routes.post(
        "/small", 10, (request, response) -> response.text(200, "" + request.body().read()));
    HttpResponse<String> answer = call(version, "POST", "/small", "eleven bytes");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).startsWith("error: body: expected at most 10 bytes");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void errorAfterTheHeadersBreaksTheAnswerOff(Version version) {
    server.routes.get(
        "/half",
        (_, response) -> {
          response.body().write("half".getBytes(UTF_8));
          response.body().flush();
          throw new HttpError(500, "on purpose");
        });
    assertThatThrownBy(() -> call(version, "GET", "/half", "")).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void fewerBytesThanAnnouncedBreaksTheAnswerOff(Version version) {
    server.routes.get(
        "/short",
        (_, response) -> {
          response.contentLength(10).body().write("half".getBytes(UTF_8));
          response.body().flush();
        });
    assertThatThrownBy(() -> call(version, "GET", "/short", "")).isInstanceOf(IOException.class);
  }

  @Test
  void requestsAreCountedByRouteAndNeverByPath() throws Exception {
    call(Version.HTTP_1_1, "GET", "/livez", "");
    call(Version.HTTP_2, "GET", "/secret", "");
    // A request is counted when its last byte was sent, which the client may see a little earlier.
    awaitMetric("cordwood_http_requests_in_flight ", 0);
    awaitMetric("cordwood_http_requests_total{method=\"GET\",route=\"/livez\",status=\"200\"", 1);
    awaitMetric("cordwood_http_requests_total{method=\"other\",route=\"none\"", 1);
    assertThat(server.registry.scrape()).doesNotContain("secret");
    assertThat(call(Version.HTTP_1_1, "GET", "/metrics", "").body())
        .contains("cordwood_http_requests_in_flight 1.0");
  }

  private void awaitMetric(String nameAndLabels, double expected) {
    await().untilAsserted(() -> assertThat(server.metric(nameAndLabels)).isEqualTo(expected));
  }

  @Test
  void takenPortIsNamed() {
    HttpServerOptions taken = HttpServerOptions.at("127.0.0.1", server.port());
    assertThatThrownBy(() -> HttpServer.start(taken, new Routes(), new SimpleMeterRegistry()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1 port " + server.port())
        .hasMessageContaining("choose another port");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void clientThatExpectsContinueGetsIt(Version version) throws Exception {
    server.routes.post(
        "/echo",
        100,
        (request, response) ->
            response.text(200, new String(request.body().readAllBytes(), UTF_8)));
    try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
      client.send(HttpRequest.newBuilder(server.uri("/livez")).build(), BodyHandlers.ofString());
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/echo"))
              .timeout(TestServer.LONG)
              .expectContinue(true)
              .POST(BodyPublishers.ofString("abc"))
              .build();
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.body()).isEqualTo("abc");
    }
  }
}

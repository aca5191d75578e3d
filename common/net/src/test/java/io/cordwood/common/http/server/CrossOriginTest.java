package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of origins that the operator named may ask, and change nothing. */
final class CrossOriginTest {
  private static final String BOARD = "Origin: https://board.example.com";
  private static final String ALLOWED =
      "access-control-allow-origin: https://board.example.com\r\n";

  private final TestServer server =
      new TestServer(
          options -> options.withHosts(new Hosts(Set.of(), Set.of("https://board.example.com"))));

  @BeforeEach
  void addRoutes() {
    server
        .routes
        .getOrForm("/ask", Params.of("q"), (_, response) -> response.text(200, "answer"))
        .post("/claim", 0, (_, response) -> response.text(200, "claimed"));
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  @Test
  void aPageThatWasNamedMayReadAnswersAndErrors() throws IOException {
    assertThat(server.ask("GET /ask?q=x", BOARD))
        .startsWith("HTTP/1.1 200 ")
        .contains(ALLOWED, "vary: origin\r\n", "access-control-expose-headers: *\r\n")
        .endsWith("answer");
    assertThat(server.ask("GET /ask?p=x", BOARD)).startsWith("HTTP/1.1 400 ").contains(ALLOWED);
    assertThat(server.ask("GET /ask?q=x", "x: y"))
        .startsWith("HTTP/1.1 200 ")
        .doesNotContain("access-control");
  }

  @Test
  void itsBrowserIsToldThatItMayAsk() throws IOException {
    assertThat(server.ask("OPTIONS /ask", BOARD, "Access-Control-Request-Method: POST"))
        .startsWith("HTTP/1.1 204 ")
        .contains(
            ALLOWED,
            "access-control-allow-methods: GET, HEAD, POST\r\n",
            "access-control-allow-headers: authorization, content-type\r\n",
            "access-control-max-age: 600\r\n");
  }

  @Test
  void itMayChangeNothing() throws IOException {
    assertThat(server.ask("POST /claim", BOARD))
        .startsWith("HTTP/1.1 403 ")
        .endsWith("error: /claim: expected no Origin, since pages may only ask\n");
    assertThat(server.ask("OPTIONS /claim", BOARD, "Access-Control-Request-Method: POST"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(server.ask("POST /claim", "x: y")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void othersAreRefusedBeforeAndAfterAsking() throws IOException {
    String other = "Origin: https://board.example.com.evil.example";
    assertThat(server.ask("GET /ask?q=x", other))
        .startsWith("HTTP/1.1 403 ")
        .contains("tell the node with --cors-origin if pages from there may ask it")
        .doesNotContain("access-control");
    assertThat(server.ask("OPTIONS /ask", other, "Access-Control-Request-Method: GET"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(server.ask("OPTIONS /ask", "x: y", "Access-Control-Request-Method: GET"))
        .startsWith("HTTP/1.1 405 ");
  }
}

package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests over HTTP/1.1 that are refused for how they are framed, or for who has them sent. */
final class Http1RefusalsTest {
  private static final String CLOSE = "\r\nConnection: close\r\n\r\n";

  private TestServer server = new TestServer();

  @AfterEach
  void closeServer() {
    server.close();
  }

  private void restart(HttpServerOptions options) {
    server.close();
    server = new TestServer(_ -> options);
  }

  /** RFC 9112, 3.2: one Host. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "400 GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "505 GET /livez HTTP/3.0\r\nHost: x\r\n\r\n",
        "501 POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "501 POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: br, chunked\r\n\r\n0\r\n\r\n",
      })
  void whatWouldHaveToBeGuessedIsRefused(String statusAndRequest) throws IOException {
    server.addEcho();
    String answer = server.exchange(statusAndRequest.substring(4).replace("\r\n\r\n", CLOSE));
    assertThat(answer).startsWith("HTTP/1.1 " + statusAndRequest.substring(0, 4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://x/echo?q=1", "HTTPS://x:80/echo?q=1", "/echo?q=1"})
  void aRequestLineMayNameTheServer(String uri) throws IOException {
    server.addEcho();
    assertThat(server.exchange("GET " + uri + " HTTP/1.1\r\nHost: x" + CLOSE))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("1");
    assertThat(server.exchange("GET http://x HTTP/1.1\r\nHost: x" + CLOSE))
        .startsWith("HTTP/1.1 404 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "200 127.0.0.1:7650",
        "200 [::1]:7650",
        "200 localhost",
        "200 node-1:7650",
        "200 cordwood-0.cordwood.default.svc.cluster.local:7650",
        "200 logs.example.com:7650",
        "200 LOGS.example.com",
        "403 rebound.example.com:7650",
        "403 127.0.0.1.example.com",
        "403 localhost.example.com",
      })
  void aNameThatAWebPageCouldHaveMadeIsRefused(String statusAndHost) throws IOException {
    restart(HttpServerOptions.at("127.0.0.1", 0).withHosts(new Hosts(Set.of("logs.example.com"))));
    server.addEcho();
    String request = "GET /echo?q=1 HTTP/1.1\r\nHost: " + statusAndHost.substring(4) + CLOSE;
    assertThat(server.exchange(request)).startsWith("HTTP/1.1 " + statusAndHost.substring(0, 4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"200 http://x", "200 https://x", "403 http://y", "403 http://x:1", "403 null"})
  void aPageOfAnotherOriginIsRefused(String statusAndOrigin) throws IOException {
    server.addEcho();
    for (String line : List.of("GET /echo?q=1 HTTP/1.1", "POST /echo HTTP/1.1")) {
      String request = line + "\r\nHost: x\r\nOrigin: " + statusAndOrigin.substring(4) + CLOSE;
      assertThat(server.exchange(request))
          .startsWith("HTTP/1.1 " + statusAndOrigin.substring(0, 4));
    }
  }
}

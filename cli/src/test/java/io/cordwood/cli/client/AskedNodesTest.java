package io.cordwood.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.cordwood.cli.program.ReadFlags;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a question that a node does not answer at once. */
final class AskedNodesTest {
  private static final String STARTING = "error: this node is starting\n";

  private final List<HttpServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  /** A node that refuses so many times before it answers; as HOST:PORT. */
  private String node(int refusals, boolean saysWhen) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var left = new int[] {refusals};
    server.createContext(
        "/",
        exchange -> {
          boolean refuses = left[0]-- > 0;
          byte[] body = (refuses ? STARTING : "a line\n").getBytes(StandardCharsets.US_ASCII);
          if (refuses && saysWhen) {
            exchange.getResponseHeaders().add("Retry-After", "0");
          }
          exchange.sendResponseHeaders(refuses ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static String ask(String... nodes) throws IOException {
    AskedNodes asked = ReadFlags.into(new AskedNodes(), "--node=" + String.join(",", nodes));
    try (Answer answer =
        asked.ask("test", (client, node) -> get(client, URI.create("http://" + node + "/")))) {
      return new String(answer.body().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static Answer get(CliClient client, URI uri) throws IOException {
    return client.get(uri);
  }

  @Test
  void nodeThatSaysWhenItMayBeAskedAgainIs() throws IOException {
    assertThat(ask(node(3, true))).isEqualTo("a line\n");
  }

  @Test
  void nodeThatDoesNotIsNot() throws IOException {
    String node = node(1, false);
    assertThatThrownBy(() -> ask(node))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the node refused the query (503): this node is starting");
  }

  @Test
  void nextNodeIsAskedForOneThatIsNotReady() throws IOException {
    assertThat(ask(node(Integer.MAX_VALUE, true), node(0, true))).isEqualTo("a line\n");
  }
}

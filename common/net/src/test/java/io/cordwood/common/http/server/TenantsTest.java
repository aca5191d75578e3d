package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A header that chooses a tenant is refused wherever records are sent or asked for. */
final class TenantsTest {
  private static final List<String> ASKED =
      List.of(
          ApiPaths.QUERY,
          ApiPaths.STREAM,
          ApiPaths.READ,
          ApiPaths.HISTOGRAM,
          ApiPaths.STATS,
          ApiPaths.TOPICS,
          ApiPaths.LOKI_QUERY_RANGE,
          ApiPaths.LOKI_TAIL);

  private static final List<String> SENT =
      List.of(
          ApiPaths.INGEST,
          ApiPaths.INGEST_BULK,
          ForeignPaths.LOKI_PUSH,
          ForeignPaths.JSON_LINE,
          ForeignPaths.GELF,
          ForeignPaths.JOURNAL,
          "/_bulk",
          "/v1/logs",
          "/services/collector");

  private final TestServer server = new TestServer();

  @BeforeEach
  void addRoutes() {
    ASKED.forEach(path -> server.routes.get(path, (_, response) -> response.text(200, "answer")));
    SENT.forEach(path -> server.routes.post(path, 9, (_, response) -> response.text(200, "taken")));
    server.routes.get(ApiPaths.QUERY_TIER, (_, response) -> response.text(200, "to a node"));
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Scope-OrgID: team-a", "AccountID: 7", "ProjectID: 7"})
  void oneThatIsChosenIsRefused(String header) throws IOException {
    String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
    for (String path : ASKED) {
      assertThat(server.ask("GET " + path, header))
          .as(path)
          .startsWith("HTTP/1.1 400 ")
          .contains("header " + name + ": expected none");
    }
    for (String path : SENT) {
      assertThat(server.ask("POST " + path, header))
          .as(path)
          .startsWith("HTTP/1.1 400 ")
          .contains("header " + name + ": expected none");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"X-Scope-OrgID: fake", "X-Scope-OrgID: anonymous", "AccountID: 0", "ProjectID: "})
  void whoHasNoneIsServed(String header) throws IOException {
    for (String path : ASKED) {
      assertThat(server.ask("GET " + path, header)).as(path).startsWith("HTTP/1.1 200 ");
    }
    for (String path : SENT) {
      assertThat(server.ask("POST " + path, header)).as(path).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aSecondHeaderCountsToo() throws IOException {
    assertThat(server.ask("GET " + ApiPaths.QUERY, "AccountID: 0", "AccountID: 7"))
        .startsWith("HTTP/1.1 400 ");
  }

  @Test
  void pathsWithoutRecordsAreNotConcerned() throws IOException {
    assertThat(server.ask("GET " + ApiPaths.METRICS, "AccountID: 7")).startsWith("HTTP/1.1 200 ");
    assertThat(server.ask("GET " + ApiPaths.QUERY_TIER, "AccountID: 7"))
        .startsWith("HTTP/1.1 200 ");
  }
}

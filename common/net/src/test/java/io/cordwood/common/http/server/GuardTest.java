package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GuardTest {
  private static final byte[] KEY =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER_KEY = new byte[32];

  private static final int FLOODS = 4;
  private static final int A_FLOOD = 500;

  @TempDir Path folder;

  private final TestServer server = new TestServer();
  private final InstantSource clock = InstantSource.system();
  private final String ingest = TokenText.random();
  private final String query = TokenText.random();
  private final String admin = TokenText.random();
  private final String old = TokenText.random();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private AuditLog audit = AuditLog.NONE;
  private Optional<Tokens> tokens = Optional.empty();

  private static Token token(String name, String text, Scope scope, Instant expires, int queries) {
    return new Token(
        name,
        HexFormat.of().formatHex(TokenText.hash(text)),
        Set.of(scope),
        new TopicPatterns(List.of("shop*")),
        Optional.of(expires),
        Token.NO_RATE,
        queries);
  }

  @BeforeEach
  void guard() throws IOException {
    Path file = folder.resolve("tokens");
    Instant later = clock.instant().plusSeconds(3600);
    TokenFile.write(
        file,
        List.of(
            token("sender", ingest, Scope.INGEST, later, 1),
            token("reader", query, Scope.QUERY, later, 1),
            token("boss", admin, Scope.ADMIN, later, 1),
            token("old", old, Scope.QUERY, Instant.EPOCH, 1)));
    Tokens known = Tokens.of(file, clock, server.registry);
    tokens = Optional.of(known);
    audit = AuditLog.of(folder.resolve("audit.log"), clock, server.registry);
    var guard =
        new Guard(
            known, new NodeKeys(List.of(KEY), clock), new Refusals(server.registry, audit), audit);
    SignInRoutes.addTo(server.routes, guard);
    server.routes.guardedBy(guard);
    addRoutes();
  }

  private void addRoutes() {
    for (String path :
        List.of(
            ApiPaths.TOPICS,
            ApiPaths.LABELS,
            ApiPaths.FIELDS,
            ApiPaths.CLUSTER,
            ApiPaths.STORE_SLICES,
            ApiPaths.STORE_SEGMENTS,
            "/page/a.js",
            "/new")) {
      server.routes.get(
          path,
          Params.ANY,
          (request, response) -> {
            response.trailer("cordwood-matches", "7");
            response.text(200, "for " + request.caller().name());
          });
    }
    server.routes.getOrForm(
        ApiPaths.QUERY,
        Params.of("q"),
        (_, response) -> {
          asked.countDown();
          TestServer.awaitLatch(go);
          response.text(200, "records");
        });
    server.routes.post(
        ApiPaths.INGEST_CLAIM,
        Params.ANY,
        1 << 20,
        (request, response) ->
            response.text(200, "claimed " + request.body().readAllBytes().length));
    server.routes.on(
        "OPTIONS",
        "/services/collector",
        Params.ANY,
        0,
        (_, response) -> response.text(200, "options"));
    server.routes.get("/services/collector/health", (_, response) -> response.text(200, "healthy"));
    server.routes.post(ApiPaths.INGEST_BULK, 1, (request, response) -> response.text(200, "taken"));
    ForeignPaths.ALL.forEach(
        path -> server.routes.post(path, 1, (_, response) -> response.text(200, "taken")));
  }

  @AfterEach
  void close() throws IOException {
    go.countDown();
    server.close();
    tokens.ifPresent(Tokens::close);
    audit.close();
  }

  private String ask(String line, String... headers) throws IOException {
    return server.exchange(
        line
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList())
            + "Content-Length: 0\r\n\r\n");
  }

  private static String bearer(String text) {
    return "Authorization: Bearer " + text;
  }

  private static int status(String answer) {
    return Integer.parseInt(answer.substring(9, 12));
  }

  @ParameterizedTest
  @CsvSource({
    "GET /topics,          401, 403, 200, 403",
    "GET /cluster,         401, 403, 403, 200",
    "GET /metrics,         401, 403, 403, 200",
    "GET /new,             401, 403, 403, 200",
    "POST /ingest/bulk,    401, 200, 403, 403",
    "POST /_bulk,          401, 200, 403, 403",
    "POST /logs/_bulk,     401, 200, 403, 403",
    "POST /ingest/claim,   403, 403, 403, 403",
    "GET /store/slices,    403, 403, 403, 403",
    "GET /store/segments,  401, 403, 403, 200",
    "GET /page/a.js,       200, 200, 200, 200",
    "GET /-/healthy,       200, 200, 200, 200",
    "GET /-/ready,         200, 200, 200, 200",
    "POST /loki/api/v1/push, 401, 200, 403, 403",
    "OPTIONS /services/collector, 200, 200, 200, 200",
    "GET /services/collector/health, 200, 200, 200, 200",
    "GET /nosuch,          404, 404, 404, 404",
  })
  void eachPathNeedsItsScope(String line, int none, int sender, int reader, int boss)
      throws IOException {
    assertThat(status(ask(line))).isEqualTo(none);
    assertThat(status(ask(line, bearer(ingest)))).isEqualTo(sender);
    assertThat(status(ask(line, bearer(query)))).isEqualTo(reader);
    assertThat(status(ask(line, bearer(admin)))).isEqualTo(boss);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_bulk",
        "/logs/_bulk",
        "/_license",
        "/_nosuch",
        "/insert/elasticsearch/logs/_bulk"
      })
  void refusalsOfElasticsPathsSayThatTheyAre(String path) throws IOException {
    assertThat(ask("POST " + path)).contains("x-elastic-product: Elasticsearch");
    assertThat(ask("POST " + path, "Host: y")).contains("x-elastic-product: Elasticsearch");
    assertThat(ask("POST /ingest/bulk")).doesNotContain("x-elastic-product");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /services/collector/raw|a/b|application/json|"Invalid authorization: exp|"code":3}
          /api/v2/logs|a/b|application/json|"errors":[{"detail":"exp|"401"}]}
          /logs/_bulk|a/b|application/json|"root_cause":[{"type":"security_|:401}
          /v1/logs|application/json|application/json|{"code":16,"message":"exp|none"}
          /v1/logs|a/b|application/x-protobuf|expected a token, in|found none
          /loki/api/v1/push|application/json|text/plain|error: expected a token|found none
          """)
  void refusalsAreInTheWordsOfTheProtocol(
      String path, String sent, String type, String begin, String end) throws IOException {
    String answer = ask("POST " + path, "Content-Type: " + sent);
    assertThat(answer)
        .startsWith("HTTP/1.1 401 ")
        .contains("www-authenticate: Bearer", "content-type: " + type, begin);
    assertThat(answer.strip()).endsWith(end);
  }

  @Test
  void aRefusalSaysWhatWasNeededAndNoTopic() throws IOException {
    assertThat(ask("GET /topics"))
        .contains("www-authenticate: Bearer", "expected a token, in a header")
        .doesNotContain("shop", "insufficient_scope");
    assertThat(ask("GET /topics", bearer(ingest)))
        .contains("www-authenticate: Bearer realm=\"cordwood\", error=\"insufficient_scope\"");
    assertThat(ask("GET /topics", bearer(ingest)))
        .contains("scope query", "sender")
        .doesNotContain("shop");
    assertThat(ask("GET /topics", bearer(old))).startsWith("HTTP/1.1 401 ").contains("expired");
    assertThat(ask("GET /topics", bearer(TokenText.random()))).contains("not known here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: ",
        "Authorization: Bearer",
        "Authorization: Bearer ",
        "Authorization: Basic eDp5",
        "Authorization: Bearer cw_short",
        "Authorization: Bearer cw_\u00e9\u00e9\u00e9",
        "Cookie: cordwood-token=",
        "Cookie: cordwood-token=cw_x; cordwood-token=y",
        "Cookie: a=b; ; =",
      })
  void oddCredentialsAre401(String header) throws IOException {
    assertThat(ask("GET /topics", header)).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void aBrowserSignsInAndOut() throws IOException {
    String form = "token=" + query;
    String answer =
        server.exchange(
            "POST /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: "
                + "application/x-www-form-urlencoded\r\nContent-Length: "
                + form.length()
                + "\r\n\r\n"
                + form);
    assertThat(answer)
        .startsWith("HTTP/1.1 200 ")
        .contains(
            "set-cookie: cordwood-token=" + query + "; Path=/; HttpOnly; SameSite=Strict\r\n",
            "cache-control: no-store");
    assertThat(ask("GET /topics", "Cookie: other=1; cordwood-token=" + query))
        .contains("for reader");
    assertThat(ask("POST /logout")).contains("Max-Age=0");
    assertThat(ask("POST /login?token=" + query)).startsWith("HTTP/1.1 400 ");
    assertThat(ask("POST /login", "Origin: http://evil.example")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void nodesOfTheClusterAreLetIn() throws IOException {
    var keys = new NodeKeys(List.of(KEY), clock);
    try (var client = new PeerClient(TestServer.LONG, TestServer.LONG, withKeys(keys))) {
      assertAllAnswered(client);
    }
  }

  @Test
  void soAreThoseWhoseClocksAreFarOff() throws IOException {
    InstantSource ahead = () -> clock.instant().plus(Duration.ofDays(1));
    var keys = new NodeKeys(List.of(KEY), ahead);
    try (var client = new PeerClient(TestServer.LONG, TestServer.LONG, withKeys(keys))) {
      assertClaims(client, 3);
      assertAllAnswered(client);
    }
  }

  private void assertAllAnswered(PeerClient client) throws IOException {
    try (var get = client.get(server.uri("/store/slices?a=b%20c"), TestServer.LONG);
        var post = client.post(server.uri("/ingest/claim?max=1"), TestServer.LONG)) {
      assertThat(get.status()).isEqualTo(200);
      assertThat(post.status()).isEqualTo(200);
    }
    assertClaims(client, 1000);
  }

  private void assertClaims(PeerClient client, int bytes) throws IOException {
    var body = List.of(new byte[bytes]).iterator();
    try (var answer =
        client.post(server.uri("/ingest/claim"), body, bytes, () -> true, TestServer.LONG)) {
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  @Test
  void othersAreNot() throws IOException {
    for (NodeKeys keys : List.of(NodeKeys.NONE, new NodeKeys(List.of(OTHER_KEY), clock))) {
      try (var client = new PeerClient(TestServer.LONG, TestServer.LONG, withKeys(keys));
          var answer = client.post(server.uri("/ingest/claim"), TestServer.LONG)) {
        assertThat(answer.status()).isEqualTo(403);
      }
    }
    assertThat(ask("POST /ingest/claim", NodeKeys.HEADER + ": \0\u00ff 1 2")).contains(" 40");
    assertThat(server.metric("cordwood_access_refused_total{reason=\"node\"}"))
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void aTokenHasAtMostSoManyQueriesAtOnce() throws IOException {
    String request = "GET /query?q=x HTTP/1.1\r\nHost: x\r\n" + bearer(query) + "\r\n\r\n";
    try (Socket first = server.connect()) {
      TestServer.send(first, request);
      TestServer.awaitLatch(asked);
      assertThat(ask("GET /query?q=y", bearer(query)))
          .startsWith("HTTP/1.1 429 ")
          .contains("retry-after: 1", "at most 1 queries at once of the token reader");
      go.countDown();
      assertThat(TestServer.readUntil(first, "records")).startsWith("HTTP/1.1 200 ");
    }
    await().until(() -> status(ask("GET /query?q=y", bearer(query))) == 200);
  }

  @Test
  void whatWasAskedAndRefusedIsInTheAuditLogWithoutTokens() throws IOException {
    ask("GET /topics?x=y%20z", bearer(query));
    ask("GET /cluster", bearer(admin));
    ask("GET /-/healthy");
    ask("GET /topics", bearer(ingest));
    Path log = folder.resolve("audit.log");
    await().until(() -> Files.readAllLines(log).size() >= 3);
    assertThat(log)
        .content()
        .contains(
            "\"token\":\"reader\",\"address\":\"127.0.0.1\",\"what\":\"GET /topics\","
                + "\"detail\":\"x=y z\",\"outcome\":\"200\"",
            "\"records\":7,\"bytes\":10}",
            "\"what\":\"GET /cluster\"",
            "\"outcome\":\"refused\"")
        .doesNotContain("healthy", query, ingest, admin);
  }

  /** Of several who go on as fast as the node answers, each time with another one. */
  @Test
  void manyWrongTokensAreCountedAndOthersAreServed() throws Exception {
    PrintStream usual = System.err;
    var log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (Socket right = server.connect();
        ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> floods =
          Stream.generate(() -> attackers.submit(this::flood)).limit(FLOODS).toList();
      do {
        TestServer.send(right, "GET /topics HTTP/1.1\r\nHost: x\r\n" + bearer(query) + "\r\n\r\n");
        assertThat(TestServer.readUntil(right, "cordwood-matches: 7\r\n\r\n"))
            .startsWith("HTTP/1.1 200 ");
      } while (!floods.stream().allMatch(Future::isDone));
      for (Future<Integer> flood : floods) {
        assertThat(flood.get()).isEqualTo(A_FLOOD);
      }
    } finally {
      System.setErr(usual);
    }
    assertThat(server.metric("cordwood_access_refused_total{reason=\"unknown\"}"))
        .isEqualTo(FLOODS * A_FLOOD);
    assertThat(log.toString(StandardCharsets.UTF_8).lines()).hasSizeBetween(1, 10);
  }

  private int flood() throws IOException {
    for (int i = 0; i < A_FLOOD; i++) {
      assertThat(status(ask("GET /topics", bearer(TokenText.random())))).isEqualTo(401);
    }
    return A_FLOOD;
  }

  private static PeerCredentials withKeys(NodeKeys keys) {
    return new PeerCredentials(keys, Optional.empty());
  }
}

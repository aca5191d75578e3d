package io.cordwood.dist.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Metrics;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.fields.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser gets of the page, and what nobody gets. */
final class PageRoutesTest {
  /** What the whole page may weigh on its way to a browser. */
  private static final int MAX_COMPRESSED_BYTES = 100_000;

  private static final Path SOURCES = Path.of("src/main/resources/io/cordwood/dist/page");
  private static final List<String> GENERATED =
      List.of(PageFile.LEVELS, PageFile.MASKS, PageFile.SCRIPT);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static HttpServer server;

  @BeforeAll
  static void start() throws IOException {
    var routes = new Routes();
    PageRoutes.addTo(routes);
    server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, Metrics.registry());
  }

  @AfterAll
  static void stop() {
    server.close();
    HTTP.close();
  }

  private static HttpResponse<byte[]> ask(String method, String path, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("(none)");
  }

  static Stream<String> paths() {
    return Stream.concat(Stream.of("/"), PageFile.parts().stream().map(name -> "/page/" + name));
  }

  private static byte[] source(String path) throws IOException {
    String name = path.equals("/") ? PageRoutes.ENTRY : path.substring("/page/".length());
    return GENERATED.contains(name)
        ? PageFile.of(name).plain()
        : Files.readAllBytes(SOURCES.resolve(name));
  }

  @ParameterizedTest
  @CsvSource({
    "'text/html,application/xhtml+xml,*/*;q=0.8', text/html; charset=utf-8",
    "application/json, text/plain; charset=utf-8",
    "*/*, text/plain; charset=utf-8",
    "'', text/plain; charset=utf-8",
  })
  void programsThatDoNotTakeHtmlGetWhatTheyExpect(String accept, String type) throws Exception {
    var routes = new Routes();
    PageRoutes.addTo(routes, (_, response) -> response.text(200, "another server"));
    try (var other =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, Metrics.registry())) {
      var uri = URI.create("http://127.0.0.1:" + other.port() + "/");
      for (String method : new String[] {"GET", "HEAD"}) {
        var request =
            HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        var asked = accept.isEmpty() ? request : request.header("accept", accept);
        assertThat(header(HTTP.send(asked.build(), BodyHandlers.discarding()), "content-type"))
            .isEqualTo(type);
      }
    }
  }

  @Test
  void everyFileIsServedAndTheModulesAreThoseThatAreImported() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      var served = new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
      served.remove(PageRoutes.ENTRY);
      served.addAll(GENERATED);
      assertThat(PageFile.parts()).containsExactlyElementsOf(served);
    }
  }

  @Test
  void pageTakesForErrorsWhatTheNodeDoes() throws Exception {
    assertThat(new String(ask("GET", "/page/levels.js").body(), UTF_8))
        .startsWith("export const ERRORS = new Set([\"fatal\", \"critical\", ")
        .endsWith(", \"ftl\"]);\n");
  }

  @Test
  void pageMasksInShapesWhatTheNodeDoes() throws Exception {
    String[] lines = new String(ask("GET", "/page/masks.js").body(), UTF_8).split("\n");
    assertThat(lines).hasSize(Shape.MASKS.size() + 2);
    assertThat(lines[1]).isEqualTo("  [/\\x1b\\[[0-9;:]*m/g, \"\"],");
    assertThat(lines[2]).startsWith("  [/\\b[0-9a-f]{8}-").endsWith("\\b/gi, \"‹id›\"],");
    for (Shape.Mask mask : Shape.MASKS) {
      assertThat(mask.pattern().pattern()).doesNotContain("/");
    }
  }

  @ParameterizedTest
  @MethodSource("paths")
  void fileIsServedWithHeadersThatLetNothingElseIn(String path) throws Exception {
    HttpResponse<byte[]> response = ask("GET", path);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(source(path));
    assertThat(header(response, "content-security-policy"))
        .contains(
            "default-src 'none';",
            "script-src 'self';",
            "style-src 'self';",
            "connect-src 'self';",
            "frame-ancestors 'none';",
            "base-uri 'none';",
            "form-action 'none';",
            "require-trusted-types-for 'script'")
        .doesNotContain("unsafe", "*", "http", "data:", "blob:");
    assertThat(header(response, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(response, "referrer-policy")).isEqualTo("no-referrer");
    assertThat(header(response, "cache-control")).isEqualTo("no-cache");
    assertThat(header(response, "vary")).isEqualTo("accept, accept-encoding");
    assertThat(header(response, "content-type"))
        .isEqualTo(
            switch (path.substring(path.lastIndexOf('.') + 1)) {
              case "js" -> "text/javascript; charset=utf-8";
              case "css" -> "text/css; charset=utf-8";
              case "svg" -> "image/svg+xml";
              default -> "text/html; charset=utf-8";
            });
  }

  @ParameterizedTest
  @MethodSource("paths")
  void compressedFileIsTheSameAndHeadTellsItsLength(String path) throws Exception {
    HttpResponse<byte[]> response = ask("GET", path, "accept-encoding", "br, gzip;q=0.8");
    assertThat(header(response, "content-encoding")).isEqualTo("gzip");
    try (var gzip = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      assertThat(gzip.readAllBytes()).isEqualTo(source(path));
    }
    HttpResponse<byte[]> head = ask("HEAD", path, "accept-encoding", "br, gzip;q=0.8");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(header(head, "content-length")).isEqualTo("" + response.body().length);
    assertThat(header(head, "etag")).isEqualTo(header(response, "etag"));
    assertThat(header(head, "content-security-policy"))
        .isEqualTo(header(response, "content-security-policy"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip;q=0", "gzip; q=0.000", "deflate, br"})
  void whoTakesNoGzipGetsNone(String codings) throws Exception {
    HttpResponse<byte[]> response = ask("GET", "/", "accept-encoding", codings);
    assertThat(header(response, "content-encoding")).isEqualTo("(none)");
    assertThat(response.body()).isEqualTo(source("/"));
  }

  @Test
  void wholePageIsSmall() throws Exception {
    long bytes = 0;
    for (String path : List.of("/", "/page/page.js", "/page/page.css", "/page/icon.svg")) {
      bytes += ask("GET", path, "accept-encoding", "gzip").body().length;
    }
    assertThat(bytes).isBetween(10_000L, (long) MAX_COMPRESSED_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity"})
  void whatABrowserHasIsNotSentAgain(String coding) throws Exception {
    String tag = header(ask("GET", "/page/main.js", "accept-encoding", coding), "etag");
    assertThat(tag).matches("\"[0-9a-f]{20}(-gzip)?\"");
    for (String kept : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
      HttpResponse<byte[]> response =
          ask("GET", "/page/main.js", "accept-encoding", coding, "if-none-match", kept);
      assertThat(response.statusCode()).as(kept).isEqualTo(304);
      assertThat(response.body()).isEmpty();
      assertThat(header(response, "etag")).isEqualTo(tag);
    }
    assertThat(ask("GET", "/page/main.js", "if-none-match", "\"other\"").statusCode())
        .isEqualTo(200);
    assertThat(ask("GET", "/page/list.js", "if-none-match", tag).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page",
        "/page/",
        "/page/index.html",
        "/page/../page/main.js",
        "/page/%2e%2e/page/main.js",
        "/page/..%2fpage/main.js",
        "/page/./main.js",
        "/page//main.js",
        "//page/main.js",
        "/page/main.js/",
        "/page/main.js%00",
        "/page/MAIN.JS",
        "/page/PageRoutes.class",
        "/page/../../../../simplelogger.properties",
        "/page/%5c..%5cPageRoutes.class",
        "/index.html",
        "/favicon.ico"
      })
  void otherPathsLeadNowhere(String path) throws Exception {
    HttpResponse<byte[]> response = ask("GET", path);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(header(response, "content-type")).startsWith("text/plain");
  }

  @Test
  void otherMethodsAndOriginsAreRefused() throws Exception {
    assertThat(ask("POST", "/").statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/", "origin", "http://example.com").statusCode()).isEqualTo(403);
    String own = "http://127.0.0.1:" + server.port();
    assertThat(ask("GET", "/", "origin", own).statusCode()).isEqualTo(200);
  }

  /** What the address asks for is the page's own matter, however it is spelt. */
  @Test
  void anyQueryGetsThePage() throws Exception {
    assertThat(ask("GET", "/?q=ERROR&nosuch=1&q=again").body()).isEqualTo(source("/"));
  }

  @Test
  void scriptsMakeNoMarkupOfTextAndAskNobodyElse() throws IOException {
    Pattern dangerous =
        Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function"
                + "|createContextualFragment|DOMParser|srcdoc|setHTML|javascript:|import\\(");
    Pattern elsewhere = Pattern.compile("(https?|wss?)://[\\w.]+");
    for (String path : paths().toList()) {
      String text = new String(source(path), UTF_8);
      assertThat(dangerous.matcher(text).results().map(found -> found.group())).as(path).isEmpty();
      assertThat(elsewhere.matcher(text).results().map(found -> found.group()))
          .as(path)
          .allMatch("http://www.w3.org"::equals);
    }
  }
}

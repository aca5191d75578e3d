package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages of other sites get of a node on the machine of who opens them: nothing. */
final class PageForeignIT {
  /** A name of somebody else's, which leads to this machine when its page has been loaded. */
  private static final String REBOUND = "rebound.example.com";

  private static final String SECRET = "secret";

  @TempDir private Path folder;
  private HttpServer site;
  private NodeProcess node;
  private Browser browser;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> chromium = Browser.find();
    if (chromium.isEmpty()) {
      Skipped.say("pages of other sites in a browser", "no chromium on the PATH");
      assumeTrue(false, "no chromium");
    }
    node = NodeProcess.start(folder.resolve("node"));
    node.send(SECRET + "\n");
    node.awaitCount(SECRET, 1);
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/",
        exchange -> {
          byte[] page = "<title>elsewhere</title>".getBytes(StandardCharsets.US_ASCII);
          exchange.getResponseHeaders().add("content-type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    site.start();
    browser =
        Browser.start(
            chromium.get(),
            folder.resolve("browser"),
            "--host-resolver-rules=MAP " + REBOUND + " 127.0.0.1");
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (site != null) {
      site.stop(0);
    }
    if (node != null) {
      node.close();
    }
  }

  /** What a script of the page that is open reads, or what kept it from that. */
  private String read(String address, String options) throws IOException {
    return browser.word(
        "fetch('%s', %s).then(a => a.text().then(t => a.status + ' ' + a.type + ' ' + t))"
                .formatted(address, options)
            + ".catch(e => 'failed')");
  }

  @Test
  void scriptsOfAnotherOriginReadNothingAndChangeNothing() throws IOException {
    browser.open("http://localhost:" + site.getAddress().getPort() + "/");
    String at = "http://localhost:" + node.apiPort();
    double refused = node.metric("cordwood_http_refused_total");
    List<String> options =
        List.of("{}", "{mode: 'no-cors'}", "{credentials: 'include'}", "{method: 'POST'}");
    for (String each : options) {
      for (String path : List.of("/query?q=" + SECRET, "/ingest/claim", "/store/segments")) {
        assertThat(read(at + path, each)).as(path + each).isIn("failed", "0 opaque ");
      }
    }
    String form =
        "new Promise(r => { const f = document.createElement('iframe');"
            + " f.onload = () => { try { r(f.contentDocument.body.innerText) }"
            + " catch (e) { r('failed') } };"
            + " f.src = '%s/query?q=%s'; document.body.append(f); })".formatted(at, SECRET);
    assertThat(browser.word(form)).doesNotContain(SECRET);
    assertThat(node.metric("cordwood_http_refused_total")).isGreaterThan(refused);
    assertThat(node.count(SECRET)).isEqualTo(1);
    assertThat(node.metric("cordwood_ingest_leases_expired_total")).isZero();
  }

  /** Its page is of the node's own origin then, so that only the name tells. */
  @Test
  void aNameThatHasBeenMadeToLeadHereGetsNothing() throws IOException {
    String at = "http://" + REBOUND + ":" + node.apiPort();
    browser.open(at + "/");
    assertThat(browser.text("body")).contains(REBOUND).doesNotContain(SECRET);
    for (String path : List.of("/", "/query?q=" + SECRET, "/stream", "/ingest/claim")) {
      assertThat(read(at + path, "{}")).as(path).startsWith("4").doesNotContain(SECRET);
    }
    browser.open("http://localhost:" + node.apiPort() + "/?q=" + SECRET);
    browser.awaitText("#said", "1 record ");
  }
}

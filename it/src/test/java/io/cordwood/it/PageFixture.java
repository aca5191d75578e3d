package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with some records, and a browser that has its page open. Both are started once a process,
 * and end with it.
 */
abstract class PageFixture {
  static final int ORDERS = 400;
  static final int PAST = 50;

  /** The number of records that the node has. */
  static final int RECORDS = ORDERS + 3 * PAST;

  private static @Nullable Shared shared;

  static Browser browser;
  static NodeProcess node;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    Optional<Path> chromium = Browser.find();
    if (chromium.isEmpty()) {
      Skipped.say("the page in a browser", "no chromium on the PATH");
      assumeTrue(false, "no chromium");
    }
    Shared started = shared;
    if (started != null && !started.isNew()) {
      started.stop();
      started = null;
    }
    if (started == null) {
      started = Shared.start(chromium.orElseThrow());
    }
    shared = started;
    browser = started.browser;
    node = started.node;
  }

  /** The two processes, and the folder of both. */
  private record Shared(Path home, NodeProcess node, Browser browser, Instant begun) {
    static Shared start(Path chromium) throws IOException {
      Path home = Files.createTempDirectory("cordwood-page");
      Instant begun = Instant.now();
      NodeProcess node = NodeProcess.start(home.resolve("node"));
      node.send(orders("shop", 0, ORDERS));
      node.send(Sender.batch(Duration.ofHours(-1), past("first")));
      node.send(Sender.batch(Duration.ofMinutes(-30), past("second")));
      node.send(Sender.batch(Duration.ofMinutes(-1), past("third")));
      node.awaitRecords(RECORDS);
      Browser browser = Browser.start(chromium, home.resolve("browser"));
      browser.resize(1200, 760);
      var shared = new Shared(home, node, browser, begun);
      Runtime.getRuntime().addShutdownHook(new Thread(shared::stop));
      return shared;
    }

    /** Tests ask for what its records were in the last quarter of an hour. */
    private boolean isNew() {
      return begun.isAfter(Instant.now().minus(Duration.ofMinutes(5)));
    }

    private void stop() {
      browser.close();
      node.close();
      try {
        Tool.run("rm", "-rf", home.toString());
      } catch (IOException e) {
        // It is where temporary files are, and the process ends.
      }
    }
  }

  /** Whatever happened, no script failed, nothing was forbidden, and nobody else was asked. */
  @AfterEach
  void nothingWasWrong() throws IOException {
    browser.evaluate("localStorage.clear()");
    browser.prefer("light");
    List<String> complaints = List.copyOf(browser.complaints());
    browser.complaints().clear();
    assertThat(complaints).isEmpty();
    assertThat(browser.requests()).allMatch(address -> address.startsWith("http://localhost:"));
  }

  static String orders(String topic, int from, int to) {
    var text = new StringBuilder("CORDWOOD/1 topic=" + topic + "\n");
    IntStream.range(from, to)
        .forEach(i ->
            text.append(
                "{\"level\":\"%s\",\"msg\":\"order taken\",\"order\":%d,\"user\":\"u%d\"}\n"
                    .formatted(i % 100 == 99 ? "error" : "info", i, i % 5)));
    return text.toString();
  }

  private static List<String> past(String name) {
    return IntStream.range(0, PAST).mapToObj(i -> name + " batch, line " + i).toList();
  }

  static void open(NodeProcess of, String query) throws IOException {
    browser.open("http://localhost:" + of.apiPort() + "/" + query);
    awaitAnswer();
  }

  static void awaitAnswer() throws IOException {
    browser.awaitTrue(
        "document.getElementById('progress').hidden"
            + " && document.getElementById('said').textContent !== ''");
  }

  static List<String> rows() throws IOException {
    return browser.text("#list .text").lines().toList();
  }

  static String address() throws IOException {
    return browser.word("location.search");
  }

  /** Clicks the first element that a selector finds and whose text is this, once it is there. */
  static void clickText(String selector, String text) throws IOException {
    browser.awaitTrue(
        "[...document.querySelectorAll('%s')].find(e => e.innerText === '%s').click() ?? true"
            .formatted(selector, text));
  }
}

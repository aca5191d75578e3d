package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page in a browser: what stands beside the records, alerts, and a node without records. */
final class PageSideIT extends PageFixture {
  private static String rows(String section) {
    return "#side section[aria-label=" + section + "] .value";
  }

  @Test
  void aNewNodeSaysWhatToPasteAndItsRulesAreShown() throws IOException {
    Path rules =
        Files.writeString(
            folder.resolve("rules"),
            """
            delay = 0s
            every = 1s
            window = 10m
            [lines]
            topic = shop
            above = 0
            exec = exit 3
            [silence]
            topic = none
            absent = true
            for = 1h
            """);
    try (NodeProcess own = NodeProcess.start(folder.resolve("new"), "--rules", rules.toString())) {
      open(own, "");
      browser.awaitText(".start pre", "localhost:" + own.durablePort());
      browser.awaitText(".start pre", "docker logs -f shop");
      browser.awaitText(".start pre", "<targets>localhost:" + own.fastPort() + "</targets>");
      String curl =
          browser.word("document.querySelector('.start section:last-of-type pre').innerText");
      assertThat(curl).contains("localhost:" + own.apiPort() + "/ingest/bulk?topic=shop");
      Tool.run("sh", "-c", curl);
      browser.click("#go");
      browser.awaitText("#list .text", "the first line");

      browser.click("#view-alerts");
      browser.awaitText(".rules .firing", "lines shop");
      browser.awaitText(".rules .pending", "silence none");
      browser.awaitText("#view-alerts", "Alerts (1)");
      browser.awaitText(".rules .firing", "expected exit code 0");
      assertThat(browser.text(".rules .firing"))
          .contains("firing", "expected at most 0 in 10m")
          .containsOnlyOnce("expected exit code 0");
      browser.resize(390, 760);
      assertThat(
              browser.number(
                  "Math.max(...[...document.querySelectorAll('.rules *')]"
                      + ".map(e => e.getBoundingClientRect().right))"))
          .as("where rules end on a phone")
          .isLessThanOrEqualTo(390);
      browser.resize(1200, 760);
      Files.writeString(rules, "[lines]\nabove = many\n");
      browser.awaitText("#alerts .trouble", "line 2");
      browser.click(".rules .firing a");
      browser.awaitText("#list .text", "the first line");
      assertThat(address()).contains("topic=shop");
    }
  }

  @Test
  void aViewSaysThatItAsksUntilTheNodeAnswers() throws IOException {
    open(node, "?from=15m");
    browser.evaluate("window.real = fetch; window.fetch = () => new Promise(() => {})");
    for (String view : List.of("alerts", "cluster")) {
      browser.click("#view-" + view);
      assertThat(browser.text("#" + view)).startsWith("Asking the node");
    }
    browser.evaluate("window.fetch = window.real");
    browser.click("#view-records");
    browser.click("#view-alerts");
    browser.awaitText("#alerts", "This node watches no rules");
  }

  @Test
  void topicsAreCountedBesideTheRecordsAndNarrowTheSearch() throws IOException {
    open(node, "?from=15m");
    assertThat(browser.word("document.getElementById('side').hidden")).isEqualTo("true");
    browser.press("s");
    browser.awaitText(rows("Topics"), "shop");
    browser.awaitTrue(
        "document.querySelector('%s .errors').innerText === '4'".formatted(rows("Topics")));
    assertThat(browser.text(rows("Topics") + " .number")).startsWith("400");
    assertThat(
            browser.evaluate(
                "import('/page/times.js').then(m => m.range(Date.UTC(2026, 0, 2, 12, 1, 5, 7),"
                    + " Date.UTC(2026, 0, 2, 12, 2)))"))
        .asString()
        .containsOnlyOnce("2026-01-02 ");
    browser.click(rows("Topics") + " .pick");
    browser.awaitTrue("location.search === '?topic=shop&from=15m'");
    browser.awaitTrue("document.querySelector('#side .pick[aria-pressed=true]')");
    assertThat(
            browser.word(
                "getComputedStyle(document.querySelector('#side .value:has([aria-pressed=true])'))"
                    + ".backgroundColor"))
        .as("the whole row of the chosen topic is coloured")
        .isNotEqualTo("rgba(0, 0, 0, 0)");
    browser.click("#side-close");
    assertThat(browser.word("document.getElementById('side').hidden")).isEqualTo("true");
  }

  @Test
  void shapesThatWereNotThereBeforeAreMarked() throws IOException {
    open(node, "?from=15m");
    browser.click("#side-open");
    browser.awaitText(rows("Topics"), "shop");
    browser.click("#side > div > details > summary");
    browser.awaitText("#side details .change", "new");
    assertThat(browser.text("#side details .pick"))
        .contains("order taken", "third batch")
        .doesNotContain("first batch", "second batch");
  }

  @Test
  void aSearchIsPinnedAndFoundAgain() throws IOException {
    open(node, "?q=order&topic=shop");
    browser.click("#side-open");
    browser.click("#side .acts-of-pins button");
    browser.awaitText(rows("\"Pinned searches\""), "order in shop");
    assertThat(browser.word("document.title")).isEqualTo("order in shop \u00b7 Cordwood");
    open(node, "?q=other");
    browser.click(rows("\"Pinned searches\"") + " .pick");
    browser.awaitTrue("location.search === '?q=order&topic=shop'");
    browser.awaitText("#side .acts-of-pins", "Unpin this search");
    browser.click("#side .acts-of-pins button");
    browser.awaitText("#side .acts-of-pins", "Pin this search");
    assertThat(browser.text(rows("\"Pinned searches\""))).isEmpty();
  }

  /** A file is chosen by a script, since a browser without a window has nothing to choose with. */
  @Test
  void pinnedSearchesAreKeptAsAFileAndTakenFromIt() throws IOException {
    open(node, "?q=order&topic=shop");
    browser.click("#side-open");
    browser.click("#side .acts-of-pins button");
    browser.awaitText(rows("\"Pinned searches\""), "order in shop");
    browser.evaluate("URL.createObjectURL = b => (b.text().then(t => window.kept = t), '#')");
    browser.click("#side .acts-of-pins button:nth-of-type(2)");
    browser.awaitTrue("window.kept");
    String file = browser.word("window.kept");
    assertThat(file)
        .contains("\"name\": \"order in shop\"", "\"address\": \"?q=order&topic=shop\"");
    browser.click("#side .acts-of-pins button");
    browser.awaitText("#side .acts-of-pins", "Pin this search");

    take("[{\"name\":1}]");
    browser.awaitText("#toast", "Expected a file of pinned searches");
    assertThat(browser.text(rows("\"Pinned searches\""))).isEmpty();
    take(file);
    browser.awaitText(rows("\"Pinned searches\""), "order in shop");
    take(file.replaceFirst("\\[", "[{\"name\":\"another\",\"address\":\"?q=another\"},"));
    browser.awaitText(rows("\"Pinned searches\""), "another");
    assertThat(browser.text(rows("\"Pinned searches\""))).containsOnlyOnce("order in shop");
    browser.evaluate("localStorage.removeItem('cordwood.pins')");
  }

  private void take(String file) throws IOException {
    browser.evaluate(
        """
        (() => { const files = new DataTransfer();
          files.items.add(new File([`%s`], 'searches.json'));
          const box = document.querySelector('#side input[type=file]');
          box.files = files.files;
          box.dispatchEvent(new Event('change')); })()
        """
            .formatted(file));
  }

  @Test
  void theTitleSaysHowManyRecordsWait() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("waits"))) {
      open(own, "?q=user&live=true");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      own.send(orders("shop", 0, 1));
      browser.awaitText("#list .text", "order=0 ");
      browser.press("p");
      own.send(orders("shop", 1, 3));
      browser.awaitTrue("document.title === '(2) user \u00b7 Cordwood'");
      browser.press("p");
      browser.awaitTrue("document.title === 'user \u00b7 Cordwood'");
    }
  }

  @Test
  void onAPhoneItIsHiddenUntilItIsAskedFor() throws IOException {
    browser.resize(390, 760);
    try {
      open(node, "");
      assertThat(browser.word("document.getElementById('side').hidden")).isEqualTo("true");
      browser.click("#side-open");
      browser.awaitText(rows("Topics"), "shop");
      assertThat(browser.number("document.documentElement.scrollWidth - innerWidth")).isZero();
      open(node, "");
      assertThat(browser.word("document.getElementById('side').hidden")).isEqualTo("true");
    } finally {
      browser.resize(1200, 760);
    }
  }
}

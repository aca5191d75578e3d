package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page in a browser: columns, the order of rows, their lines and their times. */
final class PageColumnsIT extends PageFixture {
  private static final String CELLS =
      "[...document.querySelectorAll('#list .item')].at(-1).querySelectorAll('.cell')";

  private static String lastCells() throws IOException {
    return browser.word("[...%s].map(e => e.innerText).join(' ')".formatted(CELLS));
  }

  @Test
  void anyFieldIsAColumnThatIsMovedWidenedAndTakenAway() throws IOException {
    open(node, "?topic=shop");
    browser.press("f");
    browser.awaitText("#panel-content", "u3");
    browser.evaluate(
        "[...document.querySelectorAll('details')]"
            + ".find(e => e.querySelector('.name').innerText === 'user').open = true");
    browser.evaluate(
        "[...document.querySelectorAll('details')]"
            + ".find(e => e.querySelector('.name').innerText === 'user')"
            + ".querySelectorAll('button').forEach(b => b.innerText === 'Column' && b.click())");
    browser.awaitTrue("location.search === '?topic=shop&columns=user'");
    assertThat(lastCells()).isEqualTo("u4");
    assertThat(rows()).last().isEqualTo("order taken  order=399");
    browser.press("G", "Enter");
    browser.awaitText(".detail .kv", "order");
    browser.evaluate(
        "document.querySelector('.detail [aria-label=\"order as a column\"]').click()");
    browser.awaitTrue("location.search === '?topic=shop&columns=user%2Corder'");
    browser.press("Enter");
    browser.awaitTrue("!document.querySelector('.detail')");
    assertThat(lastCells()).isEqualTo("u4 399");
    choose("order", "Move left");
    browser.awaitTrue("location.search === '?topic=shop&columns=order%2Cuser'");
    assertThat(lastCells()).isEqualTo("399 u4");
    choose("order", "Wider");
    browser.awaitTrue("location.search === '?topic=shop&columns=order%3A20%2Cuser'");
    browser.drag("#heads .head:last-of-type .grip", 0.5, 10);
    browser.awaitTrue("/user%3A(2[0-9]|1[5-9])$/.test(location.search)");
    // Heads and cells are as wide, and at the same place.
    browser.awaitTrue(
        "(() => { const at = e => { const b = e.getBoundingClientRect();"
            + " return Math.round(b.left) + ' ' + Math.round(b.width); };"
            + " return [...document.querySelectorAll('#heads .cell')].map(at).join() === [..."
            + CELLS
            + "].map(at).join(); })()");
    choose("user", "Take away");
    browser.awaitTrue("location.search === '?topic=shop&columns=order%3A20'");
    browser.evaluate("history.back()");
    browser.awaitTrue("document.querySelectorAll('#heads .head').length === 2");
  }

  private static void choose(String column, String what) throws IOException {
    clickText("#heads button", column);
    clickText(".menu button", what);
  }

  @Test
  void fiveHundredColumnsAreTwentyAndItIsSaid() throws IOException {
    String many =
        IntStream.range(0, 500)
            .mapToObj(i -> "f" + i + "%3A99999999")
            .collect(Collectors.joining("%2C", "?topic=shop&columns=order%2Corder%2C%25zz%2C", ""));
    open(node, many);
    browser.awaitText("#toast", "At most 20 columns are shown; 482 are left out");
    assertThat(browser.number("document.querySelectorAll('#heads .head').length")).isEqualTo(20);
    assertThat(rows()).last().isEqualTo("order taken  user=u4");
    assertThat(browser.number("document.scrollingElement.scrollWidth")).isEqualTo(1200);
    browser.resize(390, 740);
    try {
      assertThat(browser.number("document.scrollingElement.scrollWidth")).isEqualTo(390);
      browser.awaitTrue(
          "(r => r.querySelector('.text').getBoundingClientRect().bottom"
              + " <= r.getBoundingClientRect().bottom + 1)(document.querySelector('#list .row'))");
    } finally {
      browser.resize(1200, 760);
    }
  }

  @Test
  void newestFirstWrappedAndWithTheTimesBetween() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("order"))) {
      own.send("first\n");
      own.send("second " + "word ".repeat(150) + "end\n");
      own.send("third\n");
      own.awaitRecords(3);
      open(own, "");
      browser.press("n", "w", "d");
      browser.awaitTrue("location.search === '?newest_first=true&wrap=true&delta=true'");
      browser.awaitTrue("document.querySelectorAll('#list .delta').length === 3");
      String order =
          "[...document.querySelectorAll('#list .item')]"
              + ".sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
              + ".map(e => e.querySelector('.text').innerText.split(' ')[0]).join(' ')";
      browser.awaitTrue("(" + order + ") === 'third second first'");
      assertThat(browser.text("#list .delta").lines().filter(delta -> delta.startsWith("+")))
          .hasSize(2);
      // Wrapped rows are as high as they need, and the next one stands below them.
      browser.awaitTrue(
          "(() => { const [a, b, c] = [...document.querySelectorAll('#list .item')]"
              + ".map(e => e.getBoundingClientRect()).sort((x, y) => x.top - y.top);"
              + " return b.height > 2 * a.height && Math.abs(b.bottom - c.top) < 1; })()");
      own.send("fourth\n");
      browser.press("t");
      browser.awaitText("#list .text", "fourth");
      own.send("fifth\n");
      browser.awaitText("#list .text", "fifth");
      browser.awaitTrue("(" + order + ") === 'fifth fourth third second first'");
      browser.press("n");
      browser.awaitTrue("(" + order + ") === 'first second third fourth fifth'");
    }
  }

  @Test
  void manyWrappedRowsAreScrolledToTheirEndAndTheNextOnesLoaded() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("wrapped"))) {
      String long1 = "wrapped ".repeat(60);
      own.send(
          IntStream.range(0, 3000)
              .mapToObj(i -> i + " " + (i % 2 == 0 ? long1 : "short") + "\n")
              .collect(Collectors.joining()));
      own.awaitRecords(3000);
      open(own, "?wrap=true&newest_first=true");
      browser.awaitText("#list .text", "2999 short");
      String scrolled =
          "(list => (list.scrollTop += 5000, list.innerText.includes('\\n0 wrapped')))"
              + "(document.getElementById('list'))";
      browser.awaitTrue(scrolled);
      assertThat(browser.number("document.querySelectorAll('#list .item').length")).isLessThan(80);
    }
  }

  @Test
  void valuesLeadWhereTheNodeSaysAndStackTracesHaveLines() throws IOException {
    String link = "trace_id=https://tempo.example.com/trace/{value}?from=page";
    try (NodeProcess own =
        NodeProcess.start(
            folder.resolve("links"), "--page-link", link, "--page-link", "@pod=http://k/{value}")) {
      own.send(
          "{\"level\":\"error\",\"msg\":\"it fails\",\"trace_id\":\"a/b\\\"><i>\","
              + "\"stack_trace\":\"java.lang.Error: x\\n\\tat a.B.c(B.java:1)\\n"
              + "\\tat a.B.d(B.java:2)\\n\","
              + "\"mdc\":{\"trace_id\":\"..\"},\""
              + "k".repeat(180)
              + "\":1}\n");
      own.awaitRecords(1);
      open(own, "");
      browser.press("j", "Enter");
      browser.awaitText(".detail .kv", "it fails");
      assertThat(
              browser.word("[...document.querySelectorAll('.detail a')].map(a => a.href).join()"))
          .isEqualTo("https://tempo.example.com/trace/a%2Fb%22%3E%3Ci%3E?from=page");
      assertThat(browser.word("document.querySelector('.detail a').rel"))
          .isEqualTo("noopener noreferrer");
      assertThat(browser.text(".detail .lines").lines().map(String::strip))
          .containsExactly("java.lang.Error: x", "at a.B.c(B.java:1)", "at a.B.d(B.java:2)");
      assertThat(browser.text(".detail .frame").lines()).hasSize(2);
      browser.press("f");
      browser.awaitTrue(
          "[...document.querySelectorAll('summary .name')].some(e => e.innerText.length === 81"
              + " && e.innerText.startsWith('kkk'))");
    }
  }

  @Test
  void aBurstLeavesTheOthersToBeSeenOnALogarithmicScale() throws IOException {
    String lowest =
        "Math.max(...document.querySelector('.bars .bar').getAttribute('d')"
            + ".match(/v-[\\d.]+/g).map(v => Number(v.slice(1))))";
    open(node, "");
    double before = browser.number(lowest);
    browser.click("#looks");
    clickText(".menu button", "\u2003 Logarithmic histogram (l)");
    browser.awaitTrue("document.querySelector('.bars').textContent.includes('(log)')");
    assertThat(browser.number(lowest)).isLessThan(2 * before);
    browser.press("l");
    browser.awaitTrue("!document.querySelector('.bars').textContent.includes('(log)')");
    open(node, "?topic=none");
    assertThat(browser.word("document.querySelector('.bars').textContent")).isEmpty();
  }

  @Test
  void whoIsMissingIsSaidInTheZoneOfThePageAndInWholeSentences() throws IOException {
    browser.zone("Asia/Tokyo");
    try {
      open(node, "?topic=none");
      String explained =
          "import('/page/verdict.js').then(m => m.explained({ verdict: 'possibly-incomplete',"
              + " missing: [{ tier: 'store', node: 'a', reason: 'is this its port?', times: '%s' }]"
              + " }).textContent)";
      assertThat(
              browser.word(
                  explained.formatted("2026-01-31T03:00:00.123456789Z/2026-01-31T04:00:00Z")))
          .endsWith("is this its port? Between 2026-01-31 12:00:00.123 and 2026-01-31 13:00.");
      assertThat(browser.word(explained.formatted("../..")))
          .endsWith("is this its port? At any time.");
      assertThat(browser.word(explained.formatted("2026-01-31T03:00:00Z/..")))
          .endsWith("Since 2026-01-31 12:00.");
    } finally {
      browser.zone("UTC");
    }
  }
}

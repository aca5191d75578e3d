package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page in a browser: fields and shapes, and how a value narrows the search. */
final class PageFieldsIT extends PageFixture {
  @Test
  void fieldsAndShapesAreCountedAndNarrowTheSearch() throws IOException {
    open(node, "?topic=shop");
    browser.press("f");
    browser.awaitText("#panel-content", "u3");
    assertThat(browser.text("#panel-content .value")).contains("info\n396", "error\n4");
    browser.click("#panel-shapes");
    browser.awaitText("#panel-content .value", "info: order taken");
    browser.click("#panel-fields");
    browser.awaitText("#panel-content .pick", "error");
    clickText(".pick", "error");
    browser.awaitText("#said", "4 records");
    assertThat(browser.word("location.search")).isEqualTo("?where=level%3Derror&topic=shop");
    browser.awaitText("#panel-content .note", "Of 4 records");
    clickText(".pick", "order taken");
    browser.awaitTrue(
        "document.getElementById('where').value === 'level=error and msg=\"order taken\"'");
    browser.awaitText("#said", "4 records");
  }

  @Test
  void allThatMatchIsCountedByAFieldOnTheNodes() throws IOException {
    open(node, "?topic=shop&where=" + "order%3C100");
    browser.awaitText("#said", "100 records");
    browser.press("f");
    browser.awaitText("#panel-content .pick", "Count all that match");
    browser.evaluate(
        "[...document.querySelectorAll('details')]"
            + ".find(d => d.querySelector('.name').innerText === 'level')"
            + ".querySelector(':scope > .pick').click()");
    browser.awaitText(".counted .note", "All that match, by level: 100 records match");
    assertThat(browser.text(".counted .value")).contains("info\n99", "error\n1");
    browser.evaluate("[...document.querySelectorAll('.counted .leave')].at(0).click()");
    browser.awaitText("#said", "1 record ");
    assertThat(browser.word("location.search"))
        .isEqualTo("?where=order%3C100+and+level%3F%21%3Dinfo&topic=shop");
    open(node, "?topic=shop&where=order%3C");
    browser.awaitText("#trouble", "Parameter where: character 7: expected");
  }

  @Test
  void labelsAreColumnsAndNarrowTheSearch() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("labels"))) {
      for (int pod = 0; pod < 3; pod++) {
        Labels labels = Labels.of(Map.of("pod", "web-" + pod, "zone", "a\u202eb"));
        own.send(
            Sender.batch(
                new Origin("shop", labels), List.of("{\"msg\":\"hello\",\"@pod\":\"its own\"}")));
      }
      own.awaitRecords(3);
      open(own, "?labels=pod");
      assertThat(browser.text("#list .cell").lines()).containsExactly("web-0", "web-1", "web-2");
      browser.press("f");
      browser.awaitText("#panel-content .pick", "web-1");
      assertThat(browser.text("#panel-content .name").lines())
          .startsWith("@pod", "@zone")
          .contains("\"@pod\"");
      clickText(".pick", "Column");
      browser.awaitTrue("document.querySelectorAll('#list .cell').length === 6");
      assertThat(address()).isEqualTo("?columns=%40pod%2C%40zone");
      assertThat(browser.text("#list .cell")).contains("a\u2039RLO\u203ab");
      clickText(".pick", "web-1");
      browser.awaitText("#said", "1 record ");
      assertThat(address()).isEqualTo("?where=%40pod%3Dweb-1&columns=%40pod%2C%40zone");
      open(own, "?where=%22%40pod%22%3Dweb-1");
      browser.awaitText("#empty", "No record matches");
      browser.evaluate("document.getElementById('where').focus()");
      browser.type("msg=hello and @z");
      awaitOffered("msg=hello and @zone");
      browser.type("msg=hello and @zone=");
      awaitOffered("msg=hello and @zone=a\u202eb");
      open(own, "?split=%40pod");
      browser.awaitText(".legend", "web-2");
    }
  }

  private void awaitOffered(String conditions) throws IOException {
    browser.awaitTrue(
        "[...document.querySelectorAll('#fields option')].some(o => o.value === '%s')"
            .formatted(conditions));
  }

  @Test
  void namesOfFieldsThatAreSeenAreOffered() throws IOException {
    open(node, "?topic=shop");
    browser.evaluate("document.getElementById('where').focus()");
    browser.type("level=error and ");
    browser.awaitTrue(
        "[...document.querySelectorAll('#fields option')].map(o => o.value).join('; ') ==="
            + " 'level=error and level; level=error and msg; level=error and order; level=error and"
            + " user'");
    open(node, "?topic=shop");
    browser.awaitText("#split option", "By user");
    assertThat(browser.word("document.getElementById('split').value")).isEqualTo("level");
    assertThat(browser.text("#split option").lines())
        .containsExactly(
            "Not split", "By level", "By field level", "By msg", "By order", "By user");
  }

  @Test
  void elementsOfListsLongNumbersAndAccessLogsNarrowTheSearchAsTheyAreWritten() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("forms"))) {
      own.send(
          """
          {"tags":["a","b"],"n":12345678901234567890}
          {"tags":["b","a"],"n":1.50}
          192.0.2.7 - - [25/Nov/2026:03:00:00 +0000] "GET /pay HTTP/1.1" 404 17
          a.example:443 192.0.2.8 - - [25/Nov/2026:03:00:00 +0000] "PUT /pay HTTP/1.1" 200 17
          took=5ms, x=1
          {"a":1,"a":2} twice
          """);
      own.awaitRecords(6);
      narrow(own, "tags", "n: 12345678901234567890", "n", "n=12345678901234567890");
      narrow(own, "tags", "\"b\"", "tags[1]", "tags[1]=b");
      narrow(own, "GET", "path = /pay", "status", "status=404");
      narrow(own, "PUT", "remote = 192.0.2.8", "vhost", "vhost=a.example");
      narrow(own, "took", "took = 5ms", "took", "took=5ms");
      open(own, "?q=twice");
      browser.press("g", "Enter");
      browser.awaitText(".detail .kv", "a: 2");
      browser.evaluate("document.querySelector('[aria-label=\"Only records with a 2\"]').click()");
      browser.awaitText("#chips", "\"a\":2"); // The node takes the first of the two.
      browser.awaitText("#said", "1 record ");
    }
  }

  @Test
  void aRecordIsLaidOutAsItIsWritten() throws IOException {
    open(node, "?topic=none");
    List<String> records =
        List.of(
            "at 10 {} {\"a\":{\"b\":[1,{\"c\":\"\\u00e9\"}]},\"d e\":null} f=1",
            "{\"a\":[[],{}],\"a\":1.50}",
            "{\"a\":{oops}}",
            "{\"a\":1",
            "{\"a\" 1} {\"b\":2}",
            "a{\"b\":2}",
            "{\"x\": ".repeat(9) + "1} {\"b\":2}",
            "{\"a\":".repeat(9_000) + "1" + "}".repeat(9_000));
    String leaves =
        browser.word(
            "import('/page/tree.js').then(m => %s.map(t => [...m.jsonIn(t)?.leaves ?? []].join())"
                    .formatted(DevTools.text(records))
                + ".join('; '))");
    assertThat(leaves).isEqualTo("a.b[0],a.b[1].c,d e; a; ; ; b; ; ; ");
  }

  /** As behind a proxy that asks another node each time, while they are brought up to date. */
  @Test
  void aNodeThatDoesNotParseRecordsGivesThemAsTheyAre() throws IOException {
    open(node, "?topic=none");
    browser.evaluate(
        """
        (() => {
          const real = window.fetch;
          window.fetch = (address, options) => String(address).includes('parsed=')
            ? Promise.resolve(new Response('error: parameter parsed: none', { status: 400 }))
            : real(address, options);
        })()\
        """);
    browser.evaluate("document.getElementById('topic').value = 'shop'");
    browser.evaluate("document.getElementById('topic').dispatchEvent(new Event('change'))");
    browser.awaitText("#said", ORDERS + " records");
    assertThat(browser.text("#trouble")).isEmpty();
    assertThat(browser.text("#list .row.level-info")).isEmpty();
    browser.press("f");
    browser.awaitText("#panel-content", "The node says no fields of these records");
    browser.press("E");
    browser.awaitText("#toast", "The node says no levels of these records");
    browser.press("G", "Enter");
    browser.awaitText(".detail .kv", "order: 399");
    browser.evaluate(
        "document.querySelector('[aria-label=\"Only records with order 399\"]').click()");
    browser.awaitText("#said", "1 record ");
    assertThat(address()).contains("order%22%3A399");
  }

  /** Opens the oldest record that is found, and goes on to those that have one of its fields. */
  private static void narrow(
      NodeProcess own, String text, String shown, String field, String condition)
      throws IOException {
    open(own, "?q=" + text);
    browser.press("g", "Enter");
    browser.awaitText(".detail .kv", shown);
    browser.evaluate(
        "document.querySelector('[aria-label^=\"Only records with %s \"]').click()"
            .formatted(field));
    browser.awaitTrue("document.getElementById('where').value === '%s'".formatted(condition));
    browser.awaitText("#said", "1 record ");
  }

  @Test
  void whatIsLoudIsShownBesideTheSameTimeYesterday() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("loud"))) {
      // Nodes take stamps of up to a day ago as they are.
      own.send(Sender.batch(Duration.ofMinutes(60), lines("job %d failed", 30)));
      own.send(Sender.batch(Duration.ofMinutes(80), lines("user %d is new here", 5)));
      Duration yesterday = Duration.ofMinutes(70 - 24 * 60);
      own.send(Sender.batch(yesterday, lines("job %d failed", 10)));
      own.send(Sender.batch(yesterday.plusSeconds(1), lines("beat %d", 20)));
      own.send(Sender.batch(Duration.ofHours(-10), lines("job %d failed", 3)));
      own.awaitRecords(68);
      open(own, "?from=1h");
      browser.press("f");
      browser.click("#panel-shapes");
      browser.awaitText("#panel-content .note", ": 30 records");
      assertThat(browser.text("#panel-content .value"))
          .containsSubsequence(
              "job \u2039n\u203a failed\nwas 10\n30",
              "user \u2039n\u203a is new here\nnew\n5",
              "beat \u2039n\u203a\nwas 20\n0");
      assertThat(browser.text("#panel-content .louder")).isEqualTo("was 10");
      assertThat(browser.text("#panel-content .quieter")).isEqualTo("was 20");
    }
  }

  private static List<String> lines(String format, int many) {
    return IntStream.range(0, many).mapToObj(format::formatted).toList();
  }

  @Test
  void daysAreLongerOrShorterWhenClocksChange() throws IOException {
    browser.zone("Europe/Berlin");
    try {
      open(node, "?topic=none");
      assertThat(
              browser.evaluate(
                  "import('/page/times.js').then(m => new Date("
                      + "m.dayBefore(Date.parse('2026-10-25T11:00:00Z'))).toISOString())"))
          .isEqualTo("2026-10-24T10:00:00.000Z");
      assertThat(
              browser.evaluate(
                  "import('/page/times.js').then(m => ['2026-10-25T00:30:00Z',"
                      + " '2026-10-25T01:30:00Z'].map(t => m.clock(Date.parse(t))).join(' '))"))
          .isEqualTo("02:30:00.000 02:30:00.000");
      assertThat(ticks("2026-10-23T10:00Z", "2026-10-28T10:00Z", 6))
          .isEqualTo("10-24 10-25 10-26 10-27 10-28");
      assertThat(ticks("2026-10-24T20:00Z", "2026-10-25T12:00Z", 6))
          .isEqualTo("10-25 03:00 06:00 09:00 12:00");
      assertThat(ticks("2026-03-27T10:00Z", "2026-04-01T10:00Z", 6))
          .isEqualTo("03-28 03-29 03-30 03-31 04-01");
      assertThat(ticks("2026-03-28T20:00Z", "2026-03-29T12:00Z", 6))
          .isEqualTo("21:00 03-29 03:00 06:00 09:00 12:00");
    } finally {
      browser.zone("UTC");
    }
  }

  private static String ticks(String from, String to, int most) throws IOException {
    return browser.word(
        "import('/page/times.js').then(m => m.ticks(Date.parse('%s'), Date.parse('%s'), %d)"
                .formatted(from, to, most)
            + ".map(([, label]) => label).join(' '))");
  }
}

package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * The page in a browser: what it shows while it searches, when it finds nothing, and when it
 * cannot.
 */
final class PageStatesIT extends PageFixture {
  private static final String FIELDS_ARE = "document.getElementById('panel-content').innerText";

  @Test
  void whileASearchRunsTheOldRowsStayAndPanelsSaySo() throws IOException {
    open(node, "?topic=shop");
    browser.press("f");
    browser.awaitText("#panel-content", "u3");
    node.program().pause();
    try {
      browser.press("/");
      browser.type("error");
      browser.press("Enter");
      browser.awaitText("#said", "searching");
      browser.awaitTrue(FIELDS_ARE + " === 'Searching \u2026'");
      assertThat(rows()).isNotEmpty();
      assertThat(browser.evaluate("document.querySelector('#list.stale') !== null"))
          .isEqualTo(true);
    } finally {
      node.program().resume();
    }
    browser.awaitText("#said", "4 records");
    assertThat(rows()).hasSize(4);
    assertThat(browser.evaluate("document.querySelector('.stale')")).isNull();
    browser.awaitText("#panel-content", "u4");
    open(node, "?topic=shop&q=nosuch");
    browser.awaitTrue(FIELDS_ARE + ".startsWith('No record matches')");
    open(node, "?topic=shop&regex=true&q=%2B");
    browser.awaitTrue(FIELDS_ARE + ".startsWith('The search has failed')");
  }

  @Test
  void whatWasSearchedInVainIsSaidAndWhatMayHelpIsOffered() throws IOException {
    open(node, "?q=TAKEN&topic=shpo&from=15m");
    browser.awaitText("#empty", "There is no topic shpo.");
    assertThat(browser.text("#empty"))
        .startsWith("No record matches \u201cTAKEN\u201d, in shpo, in the last 15 minutes.");
    assertThat(browser.text("#empty button").lines())
        .containsExactly("Search shop", "A wider range", "Any time", "All topics", "Ignore case");
    clickText("#empty button", "Search shop");
    browser.awaitTrue("location.search === '?q=TAKEN&topic=shop&from=15m'");
    awaitAnswer();
    clickText("#empty button", "Ignore case");
    browser.awaitText("#said", " records");
    assertThat(address()).isEqualTo("?q=TAKEN&topic=shop&from=15m&ignore_case=true");
  }

  @Test
  void textsInTheBoxHaveToBeThereAllUnlessTheyAreOneLiteral() throws IOException {
    open(node, "");
    browser.press("/");
    browser.type("\"u3\" taken \"order\":1");
    browser.press("Enter");
    browser.awaitTrue("location.search.includes('words=true')");
    browser.awaitText("#said", "22 records");
    assertThat(browser.text("#list mark")).contains("taken", "u3");
    browser.click("#invert");
    browser.awaitText("#said", RECORDS - 22 + " records");
    browser.click("#invert");
    browser.click("#literal");
    browser.awaitText("#empty", "No record matches \u201c\"u3\" taken \"order\":1\u201d");
    assertThat(address()).isEqualTo("?q=%22u3%22+taken+%22order%22%3A1");
    clickText("#empty button", "As separate words");
    browser.awaitText("#said", "22 records");
    // What an address meant before there were several texts it still means.
    open(node, "?q=line+7&only=batch");
    assertThat(browser.text("#said")).startsWith("3 records");
    assertThat(browser.evaluate("document.getElementById('literal').ariaPressed"))
        .isEqualTo("true");
    open(node, "?q=LINE+7&ignore_case=true&only=first&only=batch&only=e");
    assertThat(rows()).containsExactly("first batch, line 7");
  }

  @Test
  void anAddressThatIsCopiedMeansTheSameTimesTomorrow() throws IOException {
    open(node, "?q=taken&from=24h");
    browser.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }");
    browser.press("j", "y");
    browser.awaitTrue("window.copied");
    String link = browser.word("window.copied");
    assertThat(link)
        .matches("http://localhost:\\d+/\\?q=taken&from=20\\S+Z&to=20\\S+Z&at=[0-9A-Z]{26}");
    browser.evaluate("window.copied = ''");
    browser.click("#copyas");
    clickText(".menu button", "link to this page");
    browser.awaitTrue("window.copied");
    assertThat(link).startsWith(browser.word("window.copied"));
    Instant from = Instant.parse(browser.word("new URL(window.copied).searchParams.get('from')"));
    assertThat(from).isBefore(Instant.now());
    browser.open(link);
    awaitAnswer();
    browser.awaitText("#list .selected .text", "order taken");
  }

  @Test
  void anOpenedRecordIsInViewAndWithWhatIsAroundItInTheMiddle() throws IOException {
    open(node, "?topic=shop");
    browser.press("G", "Enter");
    browser.awaitTrue("document.querySelector('.selected .detail')");
    browser.awaitTrue(isSeen(".selected .detail"));
    browser.press("Enter");
    browser.awaitTrue("!document.querySelector('.detail')");
    browser.awaitTrue(isSeen(".selected .row"));
    open(node, "?topic=shop&q=%22order%22%3A211%2C");
    browser.press("j", "c", "c", "c");
    browser.awaitText(".detail .note", "45 before and 45 after");
    browser.awaitTrue(isSeen(".selected .row:not(.context)"));
    browser.awaitTrue(isSeen(".selected .detail"));
    browser.awaitTrue(
        "(() => { const box = q => document.querySelector(q).getBoundingClientRect();"
            + " const list = box('#list');"
            + " const from = box('.selected .row:not(.context)').top - list.top;"
            + " const to = list.bottom - box('.selected .detail').bottom;"
            + " return Math.abs(from - to) < 30; })()");
  }

  /** A limit has ended the answer: it is shorter than was asked for, and there is more. */
  @Test
  void whatALimitHasCutOffIsLoadedOnceItIsLookedFor() throws IOException {
    open(node, "?topic=shop");
    browser.evaluate(
        """
        (() => {
          const real = window.fetch;
          window.fetch = async (address, options) => {
            if (!String(address).includes("last=1000")) return real(address, options);
            window.fetch = real;
            const whole = await real(address.replace("last=1000", "last=5"), options);
            const verdict = '{"stopped":"a limit","unsearched":"all","verdict":';
            return new Response((await whole.text()).replace('{"verdict":', verdict));
          };
        })()
        """);
    browser.press("/");
    browser.type("taken");
    browser.press("Enter");
    browser.awaitText("#list .text", "order=399 ");
    browser.press("Escape");
    // Those before the first row come when it is looked at, before or after the key is pressed.
    await()
        .until(() -> {
          browser.press("g");
          return firstSelected().contains("order=0 ");
        });
  }

  private String firstSelected() throws IOException {
    return String.valueOf(
        browser.evaluate("document.querySelector('.selected .text')?.innerText ?? ''"));
  }

  private static String isSeen(String selector) {
    return "(() => { const list = document.getElementById('list').getBoundingClientRect();"
        + " const box = document.querySelector('"
        + selector
        + "').getBoundingClientRect();"
        + " return box.top >= list.top - 1 && box.bottom <= list.bottom + 1; })()";
  }

  @Test
  void aNodeThatComesBackIsNoticedByASearchAndByATail() throws IOException {
    Path data = folder.resolve("back");
    String[] ports;
    try (NodeProcess dying = NodeProcess.start(data)) {
      ports = dying.samePorts();
      dying.send(orders("default", 0, 10));
      dying.awaitRecords(10);
      open(dying, "?live=true");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      dying.kill();
      browser.awaitText("#said", "The node does not answer; trying again.");
    }
    browser.press("/");
    browser.type("u1");
    browser.press("Enter");
    browser.awaitText("#trouble", "can this machine reach it? Trying again");
    assertThat(browser.text("#said")).doesNotContain("The node does not answer");
    try (NodeProcess again = NodeProcess.start(data, ports)) {
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      browser.awaitTrue("document.getElementById('trouble').hidden");
      await().until(() -> rows().size() == 2);
      again.send(orders("default", 10, 20));
      browser.awaitText("#list .text", "order=16 ");
      browser.press("Escape", "t");
      browser.awaitTrue("location.search === '?q=u1'");
      awaitAnswer();
      again.kill();
    }
    browser.press("/");
    browser.type("u2");
    browser.press("Enter");
    browser.awaitText("#trouble", "Trying again");
    try (NodeProcess again = NodeProcess.start(data, ports)) {
      browser.awaitText("#said", "4 records");
      assertThat(again.count("u2")).isEqualTo(4);
      browser.awaitTrue("document.getElementById('trouble').hidden");
    }
  }
}

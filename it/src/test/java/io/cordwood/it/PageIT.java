package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.search.GrepCommand;
import io.cordwood.cli.search.TailCommand;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a browser: what a reader asks, and sees of records. */
final class PageIT extends PageFixture {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  @Test
  void whatIsAskedIsFoundAndTheAddressIsTheQuestion() throws IOException {
    open(node, "");
    browser.awaitText("#said", RECORDS + " records");
    assertThat(browser.text("#badge")).isEqualTo("complete");
    browser.press("/");
    browser.type("\"order\":17,");
    browser.press("Enter");
    browser.awaitText("#said", "1 record ");
    assertThat(rows()).singleElement().asString().contains("\"order\":17,");
    assertThat(browser.text("#list mark")).isEqualTo("\"order\":17,");
    String address = address();
    assertThat(address).isEqualTo("?q=%22order%22%3A17%2C");
    browser.evaluate("history.back()");
    browser.awaitText("#said", RECORDS + " records");
    assertThat(address()).isEmpty();
    open(node, address);
    assertThat(rows()).singleElement().asString().contains("\"order\":17,");
    assertThat(browser.evaluate("document.getElementById('q').value")).isEqualTo("\"order\":17,");
  }

  @Test
  void rowsBeginWithWhatRecordsSay() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("forms"))) {
      own.send(
          """
          {"level":"error","ts":"2026-11-25T03:00:00Z","msg":"card expired","order":17,"who":"a b"}
          level=warn msg="slow answer" took=2s
          192.0.2.7 - - [25/Nov/2026:03:00:00 +0000] "GET /pay HTTP/1.1" 404 17
          2026-11-25 03:00:00 DEBUG took=5ms for all
          plain, took=5ms
          {"no":"message"}
          """);
      own.awaitRecords(6);
      open(own, "");
      List<String> raw =
          List.of(
              "{\"level\":\"error\",\"ts\":\"2026-11-25T03:00:00Z\",\"msg\":\"card expired\","
                  + "\"order\":17,\"who\":\"a b\"}",
              "level=warn msg=\"slow answer\" took=2s");
      assertThat(rows())
          .containsExactly(
              "card expired  order=17  who=\"a b\"",
              "slow answer  took=2s",
              "GET /pay HTTP/1.1  remote=192.0.2.7  status=404  size=17",
              "took=5ms for all",
              "plain, took=5ms",
              "{\"no\":\"message\"}");
      assertThat(browser.text("#list .level").lines()).startsWith("E", "W").contains("D");
      browser.press("r");
      assertThat(rows()).startsWith(raw.toArray(String[]::new));
      assertThat(browser.evaluate("document.getElementById('raw').ariaPressed")).isEqualTo("true");
      browser.click("#raw");
      assertThat(rows()).first().asString().startsWith("card expired");
      open(own, "?q=%22order%22%3A17");
      assertThat(rows()).singleElement().isEqualTo(raw.getFirst());
    }
  }

  @Test
  void patternsAndTopicsAreThoseOfTheCommandLine() throws IOException {
    open(node, "?q=LINE+4");
    browser.awaitText("#empty", "No record matches");
    browser.click("#ignoreCase");
    browser.awaitText("#said", "33 records");
    browser.click("#word");
    browser.awaitText("#said", "3 records");
    browser.click("#invert");
    browser.awaitText("#said", RECORDS - 3 + " records");
    assertThat(address()).isEqualTo("?q=LINE+4&ignore_case=true&word=true&invert=true");
    open(node, "?q=second%7Cthird&regex=true&topic=def*");
    assertThat(browser.text("#said")).startsWith(2 * PAST + " records");
    browser.press("/");
    browser.type("cordwood grep -i -E --topic shop 'ORDER\":3[0-4],'");
    browser.press("Enter");
    browser.awaitText("#said", "5 records");
    assertThat(address())
        .isEqualTo("?q=ORDER%22%3A3%5B0-4%5D%2C&topic=shop&regex=true&ignore_case=true");
    browser.press("/");
    browser.type("+");
    browser.press("Enter");
    browser.awaitText("#trouble", "expected something to repeat, found \"+\"");
    assertThat(rows()).isEmpty();
  }

  @Test
  void aRowOpensToItsFieldsAndWhatIsAroundIt() throws IOException {
    open(node, "?q=%22order%22%3A211%2C");
    browser.press("j", "Enter");
    browser.awaitText(".detail .kv", "user: \"u1\"");
    assertThat(browser.text(".detail .ulid")).hasSize(26);
    browser.press("c");
    browser.awaitText(".detail .note", "5 before and 5 after, of the same sender");
    assertThat(browser.text(".item .row .text").lines())
        .hasSize(11)
        .element(0)
        .asString()
        .isEqualTo("order taken  order=206  user=u1");
    browser.evaluate(
        "[...document.querySelectorAll('.kv')].at(-2).querySelector('.acts button').click()");
    browser.awaitTrue("document.getElementById('where').value === 'user=u1'");
    browser.awaitText("#said", "1 record ");
    open(node, "?topic=shop");
    browser.press("e");
    browser.awaitText(".selected .level", "E");
    browser.press("g");
    browser.awaitText(".selected .text", "order taken  order=0  user=u0");
    browser.press("G");
    browser.awaitText(".selected .text", "order taken  order=399  user=u4");
  }

  @Test
  void onAPhoneWhatCanBeDoneWithAValueIsAMenu() throws IOException {
    browser.becomePhone();
    try {
      open(node, "?q=%22order%22%3A211%2C");
      browser.press("j", "Enter");
      browser.awaitText(".detail .kv", "user: \"u1\"");
      browser.awaitTrue("document.querySelector('.detail .acts').offsetParent === null");
      browser.click(".detail [aria-label=\"What can be done with user\"]");
      browser.awaitText(".menu", "A column of its own in all rows");
      clickText(".menu button", "Only records with this");
      browser.awaitTrue("document.getElementById('where').value === 'user=u1'");
      assertThat(browser.number("document.scrollingElement.scrollWidth")).isEqualTo(390);
    } finally {
      browser.resize(1200, 760);
    }
  }

  @Test
  void aSearchThatTakesLongIsStopped() throws IOException {
    open(node, "");
    node.program().pause();
    try {
      browser.press("/");
      browser.type("taken");
      browser.press("Enter");
      browser.awaitText("#go", "Stop");
      browser.awaitText("#said", "searching");
      browser.press("Escape", "Escape");
      browser.awaitText("#toast", "The search was stopped");
      browser.awaitText("#go", "Search");
    } finally {
      node.program().resume();
    }
    browser.click("#go");
    browser.awaitText("#said", " records");
    assertThat(browser.text("#badge")).isEqualTo("complete");
  }

  @Test
  void timesAreThoseOfTheReaderOrOfUtc() throws IOException {
    browser.zone("Asia/Tokyo");
    try {
      open(node, "?q=%22order%22%3A17%2C");
      String utc = browser.word("document.querySelector('.row time').dateTime");
      Instant time = Instant.parse(utc);
      assertThat(browser.text("#zone")).isEqualTo("Asia/Tokyo");
      String there = LocalTime.ofInstant(time, ZoneId.of("Asia/Tokyo")).format(CLOCK);
      assertThat(browser.text(".row time")).isEqualTo(there);
      browser.evaluate(
          "(s => { s.value = 'custom'; s.dispatchEvent(new Event('change')); })"
              + "(document.getElementById('range'))");
      browser.type("2024-02-29 08:30");
      browser.press("Enter");
      browser.awaitTrue("location.search.endsWith('from=2024-02-28T23%3A30%3A00.000Z')");
      awaitAnswer();
      assertThat(browser.evaluate("document.getElementById('from').value"))
          .isEqualTo("2024-02-29 08:30");
      assertThat(
              browser.word(
                  "import('/page/times.js').then(m =>"
                      + " ['2026-01-31 12:00:00.123456', 'yesterday 9:00', '9:00:01.5', '2h']"
                      + ".map(m.wire).join(' '))"))
          .matches("2026-01-31T03:00:00\\.123Z 20\\S+T00:00:00\\.000Z 20\\S+T00:00:01\\.500Z 2h");
      browser.press("Escape", "z");
      browser.awaitText("#zone", "UTC");
      assertThat(browser.text(".row time"))
          .isEqualTo(LocalTime.ofInstant(time, ZoneOffset.UTC).format(CLOCK));
      assertThat(browser.evaluate("document.getElementById('from').value"))
          .isEqualTo("2024-02-28 23:30");
    } finally {
      browser.zone("UTC");
    }
  }

  @Test
  void theCommandThatIsCopiedFindsTheSame() throws IOException {
    open(node, "?q=%22ORDER%22%3A1%5B0-9%5D%2C&regex=true&ignore_case=true&topic=sh*&only=u3");
    browser.awaitText("#said", "2 records");
    browser.click("#copyas");
    String command = browser.word("document.querySelector('.menu button').title");
    assertThat(command).startsWith("cordwood grep --node localhost:" + node.apiPort() + " -E ");
    String curl = browser.word("document.querySelectorAll('.menu button')[1].title");
    String found =
        orders("shop", 0, 20)
            .lines()
            .filter(line -> line.contains(":13,") || line.contains(":18,"))
            .collect(Collectors.joining("\n", "", "\n"));
    for (String line : List.of("\"$CORDWOOD\"" + command.substring(8), curl)) {
      try (Program shell = Program.shell(folder, line)) {
        assertThat(shell.end().text()).as(line).isEqualTo(found);
      }
    }
  }

  @Test
  void textsThatOnlyThePageLeavesOutAreNamedBesideCopiesAndDownloads() throws IOException {
    open(node, "?q=taken&not=%22order%22%3A7%2C&topic=shop");
    for (String menu : List.of("#copyas", "#download")) {
      browser.click(menu);
      assertThat(browser.text(".menu .note")).endsWith("leaves out, with: \"order\":7,");
    }
    open(node, "?not=%22order%22%3A7%2C&topic=shop");
    browser.click("#copyas");
    assertThat(browser.text(".menu")).contains("curl").doesNotContain("leaves out");
  }

  @Test
  void aPastedCommandLineAsksTheSameOrSaysWhatIsNotAsked() throws IOException {
    pasted(
        "cordwood grep -x --topic=shop '{\"level\":\"info\",\"msg\":\"order taken\","
            + "\"order\":17,\"user\":\"u2\"}'",
        "1 record ");
    pasted("./cordwood grep -w -e 'line 7' -e \"line 8\" | head", "6 records");
    assertThat(browser.text("#toast")).endsWith("not ask this: | head");
    pasted(
        "cordwood grep --where='order<9 and level=info' --where a=1 -m 10 -C3 taken", "9 records");
    assertThat(browser.text("#toast")).endsWith("not ask this: --where a=1, -m 10, -C 3");
    assertThat(address()).isEqualTo("?q=taken&where=order%3C9+and+level%3Dinfo");
    Set<String> valued =
        Stream.of(new GrepCommand(), new TailCommand())
            .flatMap(command -> Programs.line("any", command).getCommandSpec().options().stream())
            .filter(option -> option.arity().max() > 0)
            .flatMap(option -> Stream.of(option.names()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(
            browser.word(
                "import('/page/commandline.js').then(m => [...m.VALUED].sort().join(' '))"))
        .isEqualTo(String.join(" ", valued));
  }

  private static void pasted(String command, String said) throws IOException {
    open(node, "");
    browser.press("/");
    browser.type(command);
    browser.press("Enter");
    browser.awaitText("#said", said);
  }

  @Test
  void recordsAreInTheirOrderWhateverComesAndGoes() throws IOException {
    open(node, "?topic=none");
    assertThat(browser.evaluate(PageProbes.HELD_RECORDS)).isEqualTo("");
  }

  @Test
  void aMillionRowsAreAsFewElementsAsAreSeen() throws IOException {
    open(node, "?topic=none");
    browser.evaluate(PageProbes.A_MILLION_ROWS);
    assertThat(browser.evaluate("million.drawn().then(() => million.sees('row 999999'))"))
        .isEqualTo(true);
    assertThat(browser.number("million.elements()")).isLessThan(80);
    browser.evaluate(
        "million.scroller.scrollTop = (million.scroller.scrollHeight - innerHeight) / 2");
    browser.awaitTrue("Math.abs(million.top() - 500000) < 1000");
    // A little of it moves by as many rows as it would in a short list.
    double before = browser.number("million.list.settling = 0, million.top()");
    browser.evaluate("million.scroller.scrollTop += 5 * million.list.rowPixels");
    browser.awaitTrue("million.top() === " + (before + 5));
    browser.evaluate("million.scroller.scrollTop = 0");
    browser.awaitTrue("million.sees('row 0')");
    assertThat(browser.number("million.elements()")).isLessThan(80);
    // More than a million are not held, and what is seen stays where it is.
    browser.evaluate("million.list.select(million.rows.at(700000))");
    assertThat(
            browser.evaluate(
                "(() => { const before = million.list.firstSeen; million.list.change(() =>"
                    + " million.rows.append([1e6, 1e6 + 1, 1e6 + 2].map(million.record)));"
                    + " return million.list.firstSeen === before; })()"))
        .isEqualTo(true);
    assertThat(browser.number("million.rows.size")).isEqualTo(1_000_000);
    assertThat(browser.number("million.rows.letGo.older")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void everyTextIsLegibleInBothSchemesAndAPhoneIsWideEnough(String scheme) throws IOException {
    browser.prefer(scheme);
    open(node, "?q=order&not=%22order%22%3A7%2C&from=24h");
    browser.press("f", "j", "Enter", "c");
    browser.awaitText(".detail .note", "of the same sender");
    browser.awaitText("#panel-content", "u3");
    assertThat(browser.evaluate(PageProbes.FAINT_TEXTS)).isEqualTo("");
    assertThat(browser.evaluate(PageProbes.NAMELESS)).isEqualTo("");
    browser.press("Escape", "?");
    browser.awaitTrue("document.getElementById('help').open");
    assertThat(browser.evaluate(PageProbes.FAINT_TEXTS)).isEqualTo("");
    browser.press("Escape");
    browser.click("#view-cluster");
    browser.awaitText("#cluster", "balances");
    browser.awaitText("#cluster .senders td", "fast port");
    assertThat(browser.evaluate(PageProbes.FAINT_TEXTS)).isEqualTo("");
    browser.resize(360, 640);
    try {
      assertThat(browser.number("document.scrollingElement.scrollWidth")).isEqualTo(360);
      open(node, "?q=order&from=2020-01-01T00%3A00%3A00Z");
      assertThat(browser.number("document.scrollingElement.scrollWidth")).isEqualTo(360);
      assertThat(
              browser.number(
                  "Math.max(...[...document.querySelectorAll('header *, #ask *, #status *')]"
                      + ".map(e => e.getBoundingClientRect().right))"))
          .isLessThanOrEqualTo(360);
      assertThat(browser.number("document.getElementById('list').clientHeight")).isGreaterThan(250);
    } finally {
      browser.resize(1200, 760);
    }
  }
}

package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a browser, over a node: what a reader does and sees. */
final class PageIT {
  private static final int ORDERS = 400;
  private static final int PAST = 50;
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  @TempDir private static Path folder;

  private static Browser browser;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    Optional<Path> chromium = Browser.find();
    if (chromium.isEmpty()) {
      Skipped.say("the page in a browser", "no chromium on the PATH");
      assumeTrue(false, "no chromium");
    }
    node = NodeProcess.start(folder.resolve("node"));
    node.send(orders("shop", 0, ORDERS));
    node.send(Sender.batch(Duration.ofHours(-1), past("first")));
    node.send(Sender.batch(Duration.ofMinutes(-30), past("second")));
    node.send(Sender.batch(Duration.ofMinutes(-1), past("third")));
    node.awaitRecords(ORDERS + 3L * PAST);
    browser = Browser.start(chromium.get(), folder.resolve("browser"));
    browser.resize(1200, 760);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    if (node != null) {
      node.close();
    }
  }

  /** Whatever happened, no script failed, nothing was forbidden, and nobody else was asked. */
  @AfterEach
  void nothingWasWrong() throws IOException {
    browser.evaluate("localStorage.clear()");
    browser.prefer("light");
    assertThat(browser.complaints()).isEmpty();
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

  private static void open(NodeProcess of, String query) throws IOException {
    browser.open("http://localhost:" + of.apiPort() + "/" + query);
    awaitAnswer();
  }

  private static void awaitAnswer() throws IOException {
    browser.awaitTrue(
        "document.getElementById('progress').hidden"
            + " && document.getElementById('said').textContent !== ''");
  }

  private static List<String> rows() throws IOException {
    return browser.text("#list .text").lines().toList();
  }

  private static String address() throws IOException {
    return browser.word("location.search");
  }

  @Test
  void whatIsAskedIsFoundAndTheAddressIsTheQuestion() throws IOException {
    open(node, "");
    browser.awaitText("#said", ORDERS + 3 * PAST + " records");
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
    browser.awaitText("#said", ORDERS + 3 * PAST + " records");
    assertThat(address()).isEmpty();
    open(node, address);
    assertThat(rows()).singleElement().asString().contains("\"order\":17,");
    assertThat(browser.evaluate("document.getElementById('q').value")).isEqualTo("\"order\":17,");
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
    browser.awaitText("#said", ORDERS + 3 * PAST - 3 + " records");
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
  void draggingOverTheHistogramZoomsAndAClickGoesThere() throws IOException {
    open(node, "?q=batch");
    assertThat(browser.text("#said")).startsWith(3 * PAST + " records");
    browser.drag("#histogram", 0.3, 0.7);
    browser.awaitText("#said", PAST + " records");
    assertThat(address()).contains("from=20", "to=20");
    assertThat(rows()).isNotEmpty().allMatch(row -> row.startsWith("second batch"));
    browser.press("-");
    browser.awaitText("#said", 3 * PAST + " records");
    open(node, "?q=batch");
    browser.drag("#histogram", 0.001, 0.001);
    browser.awaitTrue("location.search.includes('at=0')");
    browser.awaitText("#list .selected .text", "first batch, line 0");
    browser.evaluate("history.back()");
    browser.awaitTrue("!location.search.includes('at=')");
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
        .contains("\"order\":206,");
    browser.evaluate(
        "[...document.querySelectorAll('.kv')].at(-2).querySelector('.acts button').click()");
    browser.awaitTrue("document.getElementById('where').value === 'user=u1'");
    browser.awaitText("#said", "1 record ");
    open(node, "?topic=shop");
    browser.press("e");
    browser.awaitText(".selected .text", "\"level\":\"error\",\"msg\":\"order taken\",\"order\":");
    browser.press("g");
    browser.awaitText(".selected .text", "\"order\":0,");
    browser.press("G");
    browser.awaitText(".selected .text", "\"order\":399,");
  }

  @Test
  void hostileRecordsAreShownAndDoNothing() throws IOException {
    List<String> hostile = new ArrayList<>();
    hostile.add(
        "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">");
    hostile.add("<a href=\"javascript:document.title='run'\">x</a> </pre></body> &lt;");
    hostile.add("\u001b]0;run\u0007\u001b[2J\u001b[31mred\u001b[0m \u001b[8mhidden \b\b end");
    hostile.add("user \u202egnp.exe\u202c and zero\u200bwidth");
    hostile.add("{\"__proto__\":{\"run\":1},\"<b>key</b>\":\"<i>value</i>\",\"level\":\"error\"}");
    hostile.add("x".repeat((1 << 20) - 8) + " needle");
    try (NodeProcess own = NodeProcess.start(folder.resolve("hostile"))) {
      own.send(String.join("\n", hostile) + "\n");
      own.send(new byte[] {(byte) 0xff, (byte) 0xfe, ' ', 'b', 'a', 'd', '\n'});
      own.awaitRecords(hostile.size() + 1L);
      open(own, "");
      assertThat(rows()).hasSize(hostile.size() + 1);
      String shown = browser.text("#list");
      assertThat(shown)
          .contains(hostile.get(0), hostile.get(1))
          .contains("\u2039ESC\u203a]0;run\u2039BEL\u203a\u2039ESC\u203a[2Jred")
          .contains("\u2039RLO\u203agnp.exe\u2039PDF\u203a", "zero\u2039ZWSP\u203awidth")
          .contains("\ufffd\ufffd bad")
          .doesNotContain("\u001b", "\u202e", "\u200b", "\b");
      for (int i = 0; i < hostile.size(); i++) {
        browser.press(i == 0 ? "g" : "j", "Enter");
        browser.awaitTrue("document.querySelector('.item.selected .detail')");
        browser.press("Enter");
        browser.awaitTrue("!document.querySelector('.detail')");
      }
      browser.press("f");
      browser.awaitText("#panel-content", "__proto__.run");
      browser.click("#panel-shapes");
      browser.awaitText("#panel-content", "<script>");
      assertThat(browser.evaluate("document.title")).isEqualTo("Cordwood");
      assertThat(browser.number("document.querySelectorAll('#both :is(script, img, a, i)').length"))
          .isZero();
      assertThat(browser.evaluate("({}).run === undefined")).isEqualTo(true);
      open(own, "?q=needle");
      assertThat(browser.text("#said")).startsWith("1 record ");
      assertThat(rows().getFirst()).hasSizeLessThan(2000);
      open(own, "?q=%3Cscript%3Edocument.title%3D%27run%27%3C%2Fscript%3E&not=%3Cimg%3E");
      assertThat(browser.word("document.title")).startsWith("<script>");
    }
  }

  @Test
  void aTailFollowsAndNothingMovesWhereTheReaderLooks() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("followed"))) {
      open(own, "?topic=tail");
      browser.press("t");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      own.send(orders("tail", 0, 100));
      browser.awaitText("#list .text", "\"order\":99,");
      browser.wheel("#list", -800);
      browser.awaitTrue("document.getElementById('list').scrollTop < 1000");
      browser.awaitTrue("window.was === (window.was = document.getElementById('list').scrollTop)");
      double place = browser.number("document.getElementById('list').scrollTop");
      List<String> seen = rows();
      own.send(orders("tail", 100, 130));
      browser.awaitText("#pill", "30 new");
      assertThat(browser.number("document.getElementById('list').scrollTop")).isEqualTo(place);
      assertThat(rows()).isEqualTo(seen);
      browser.click("#pill");
      browser.awaitText("#list .text", "\"order\":129,");
      browser.awaitText("#said", "130 records");
      browser.press("p");
      browser.awaitText("#said", "paused");
      own.send(orders("tail", 130, 131));
      browser.awaitText("#pill", "1 new");
      browser.press("p");
      browser.awaitText("#list .text", "\"order\":130,");
      browser.press("/");
      browser.type("u2");
      browser.press("Enter");
      browser.awaitTrue("location.search === '?q=u2&topic=tail&live=true'");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      own.send(orders("tail", 131, 140));
      browser.awaitText("#list .text", "\"order\":137,");
      assertThat(rows()).allMatch(row -> row.contains("\"u2\""));
    }
  }

  @Test
  void aNodeThatDiesIsSaidAndATailGoesOnWhereItWas() throws IOException {
    Path data = folder.resolve("dying");
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
    try (NodeProcess again = NodeProcess.start(data, ports)) {
      again.send(orders("default", 10, 20));
      browser.awaitText("#list .text", "\"order\":19,");
      assertThat(rows()).hasSize(20).doesNotHaveDuplicates();
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      again.kill();
    }
    browser.press("t");
    browser.awaitText("#trouble", "does not answer. Is it running");
    assertThat(browser.evaluate("document.getElementById('badge').hidden")).isEqualTo(true);
  }

  @Test
  void aNodeThatIsMissingIsNamedInTheAnswerAndInTheClusterView() throws IOException {
    String[] quick = {"--gossip-profile=local"};
    try (NodeProcess one = NodeProcess.start(folder.resolve("one"), quick)) {
      String peer = "--peer=127.0.0.1:" + one.port("gossip");
      try (NodeProcess other =
          NodeProcess.start(
              "store", folder.resolve("other"), quick[0], peer, "--replication-factor=1")) {
        one.send(orders("shop", 0, 50));
        one.awaitRecords(50);
        open(one, "?view=cluster");
        browser.awaitText("#cluster td", "alive");
        browser.awaitText("#cluster", "Nothing is wrong");
        assertThat(browser.text(".ledger tbody").replaceAll("\\s+", " "))
            .startsWith("shop 50 50 0 ")
            .endsWith(" balances");
        other.kill();
        browser.click("#view-records");
        browser.awaitText("#said", "50 records");
        browser.click("#go");
        browser.awaitText("#badge", "may be incomplete");
        browser.click("#badge");
        browser.awaitText(".explained", "store ");
        browser.awaitText(".explained", "records may be missing");
        browser.press("Escape");
        browser.click("#view-cluster");
        browser.awaitText("#cluster .bad", "is lost since");
        browser.awaitText("#cluster .bad", "Start it again with its data folder");
      }
    }
  }

  @Test
  void aSearchThatTakesLongIsStopped() throws IOException {
    open(node, "");
    Tool.run("kill", "-STOP", Long.toString(node.program().pid()));
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
      Tool.run("kill", "-CONT", Long.toString(node.program().pid()));
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
    browser.evaluate("million.list.select(million.rows.all[700000])");
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

package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page in a browser: records and queries that are meant ill. */
final class PageHostileIT extends PageFixture {
  /** A line in Hebrew begins where others do, and its time stays in front of it. */
  private static final String RIGHT_TO_LEFT_AFTER_ITS_TIME =
      """
      (() => {
        const rows = [...document.querySelectorAll('.row')];
        const left = row => row.querySelector('.text').getBoundingClientRect().left;
        const hebrew = rows.find(row => row.textContent.includes('\u05e9'));
        const range = document.createRange();
        range.selectNodeContents(hebrew.querySelector('.text'));
        const time = hebrew.querySelector('time').getBoundingClientRect();
        return left(hebrew) === left(rows[0]) && range.getBoundingClientRect().left >= time.right;
      })()
      """;

  @Test
  void hostileRecordsAreShownAndDoNothing() throws IOException {
    List<String> hostile = new ArrayList<>();
    hostile.add(
        "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">");
    hostile.add("<a href=\"javascript:document.title='run'\">x</a> </pre></body> &lt;");
    hostile.add("\u001b]0;run\u0007\u001b[2J\u001b[31mred\u001b[0m \u001b[8mhidden \b\b end");
    hostile.add("user \u202egnp.exe\u202c and zero\u200bwidth");
    hostile.add("\u05e9\u05d2\u05d9\u05d0\u05d4 17 \u0641\u0634\u0644");
    hostile.add("{\"__proto__\":{\"run\":1},\"<b>key</b>\":\"<i>value</i>\",\"level\":\"error\"}");
    hostile.add("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000));
    hostile.add("{\"n\":" + "7".repeat(400) + ",\"n\":2,\"it \\\"is\\\"\":1,\"nul\":\"\\u0000\"}");
    hostile.add("nul \0 here");
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
          .contains("\u05e9\u05d2\u05d9\u05d0\u05d4 17 \u0641\u0634\u0644")
          .contains("\ufffd\ufffd bad", "nul \u2039NUL\u203a here")
          .doesNotContain("\u001b", "\u202e", "\u200b", "\b");
      assertThat(browser.evaluate(RIGHT_TO_LEFT_AFTER_ITS_TIME)).isEqualTo(true);
      for (int i = 0; i < hostile.size(); i++) {
        browser.press(i == 0 ? "g" : "j", "Enter");
        browser.awaitTrue("document.querySelector('.item.selected .detail')");
        browser.press("Enter");
        browser.awaitTrue("!document.querySelector('.detail')");
      }
      browser.press("f");
      browser.awaitText("#panel-content", "__proto__.run");
      browser.awaitText("#panel-content", "Not all fields are known of 1 of them");
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
  void conditionsOf64KibibytesAreAskedAndMoreAreRefusedInWords() throws IOException {
    String many =
        IntStream.range(0, 90)
            .mapToObj(i -> "order!=\"" + "x".repeat(700) + i + "\"")
            .collect(Collectors.joining(" and "));
    open(node, "?topic=shop");
    browser.evaluate("document.getElementById('where').focus()");
    browser.type(many);
    browser.press("Enter");
    browser.awaitTrue("location.search.length > 60000");
    awaitAnswer();
    assertThat(browser.text("#trouble")).isEmpty();
    assertThat(browser.text("#said")).startsWith(ORDERS + " records");
    browser.evaluate("document.getElementById('where').focus()");
    browser.type(many + " and order!=" + "y".repeat(10_000));
    browser.press("Enter");
    browser.awaitText("#trouble", "Parameter where: ");
    assertThat(rows()).isEmpty();
  }
}

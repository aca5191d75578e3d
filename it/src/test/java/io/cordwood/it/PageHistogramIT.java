package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page in a browser: records over time, and how far a search has come. */
final class PageHistogramIT extends PageFixture {
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
  void barsAreSplitByLevelOrByAField() throws IOException {
    open(node, "?topic=shop");
    browser.evaluate(
        "(s => { s.focus(); s.value = 'level'; s.dispatchEvent(new Event('change')); })"
            + "(document.getElementById('split'))");
    browser.awaitTrue("location.search === '?topic=shop&split=level'");
    browser.awaitTrue("document.querySelector('.legend').innerText === 'error\\ninfo'");
    awaitAnswer();
    assertThat(
            browser.number(
                "document.querySelector('.bars .bar').getBoundingClientRect().top"
                    + " - document.querySelector('.legend').getBoundingClientRect().bottom"))
        .as("pixels between the highest bar and the legend")
        .isNotNegative();
    assertThat(tips()).isEqualTo("400, error 4, info 396");
    open(node, "?topic=shop&split=user&where=order%3C200");
    browser.awaitText(".legend", "u4");
    assertThat(tips()).isEqualTo("200, u0 40, u1 40, u2 40, u3 40, u4 40");
    assertThat(browser.word("document.getElementById('split').selectedOptions[0].text"))
        .isEqualTo("By user");
    open(node, "?q=taken&split=order");
    browser.awaitText(".legend", "others");
    assertThat(tips()).startsWith("400, ").endsWith(", others 395");
  }

  @Test
  void splitByAFieldFillsFromTheLeftAsItIsCounted() throws IOException {
    open(node, "?q=batch");
    String split =
        """
        import('/page/split.js').then(async m => {
          const width = 60_000;
          const counts = Array(90).fill(1);
          const first = Math.floor(Date.now() / width) * width - 89 * width;
          const range = [first, first + 90 * width - 1].map(at => new Date(at).toISOString());
          const seen = new Set();
          const drawn = parts => seen.add(parts.flat().reduce((sum, n) => sum + n, 0));
          const verdicts = await m.splitBy('field:msg').ask(
            new URLSearchParams('q=batch'), { first, width, counts, range }, null, drawn);
          return `${[...seen].join(' ')}, ${verdicts.map(v => v.verdict).join(' ')}`;
        })
        """;
    assertThat(browser.word(split)).isEqualTo("0 50 100 150, " + "complete ".repeat(8).strip());
  }

  /** The numbers that the tip gives for all bars together. */
  private static String tips() throws IOException {
    browser.evaluate("document.getElementById('histogram').focus()");
    browser.evaluate(
        "(h => { const key = (key, shiftKey) =>"
            + " h.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey }));"
            + " key('ArrowLeft', false);"
            + " for (let i = 0; i < 400; i++) key('ArrowLeft', true); })"
            + "(document.getElementById('histogram'))");
    String tip = browser.text(".tip");
    browser.evaluate(
        "document.getElementById('histogram')"
            + ".dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))");
    return tip.substring(tip.lastIndexOf(": ") + 2);
  }

  @Test
  void progressSaysThePartTheSpeedAndTheNodes() throws IOException {
    open(node, "?topic=none");
    String progressed =
        "import('/page/verdict.js').then(m =>"
            + " m.progressed({ nodes: %d, bytes: 4e9, bytes_done: 1e9 }, %s, %d).join(' '))";
    assertThat(browser.evaluate(progressed.formatted(3, "0.5", 1000)))
        .isEqualTo("0.5 50 % of 4.0 GB searched, 2.0 GB/s, 3 nodes");
    assertThat(browser.evaluate(progressed.formatted(1, "0", 100)))
        .isEqualTo("0.25 25 % of 4.0 GB searched, 1 node");
  }
}

package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's fields in a browser: what is counted, and how a value narrows the search. */
final class PageFieldsIT {
  private static final int ORDERS = 400;

  @TempDir private Path folder;
  private NodeProcess node;
  private Browser browser;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> chromium = Browser.find();
    if (chromium.isEmpty()) {
      Skipped.say("the page's fields in a browser", "no chromium on the PATH");
      assumeTrue(false, "no chromium");
    }
    node = NodeProcess.start(folder.resolve("node"));
    node.send(PageIT.orders("shop", 0, ORDERS));
    node.awaitRecords(ORDERS);
    browser = Browser.start(chromium.get(), folder.resolve("browser"));
    browser.resize(1200, 760);
  }

  @AfterEach
  void stop() throws IOException {
    if (browser != null) {
      assertThat(browser.complaints()).isEmpty();
      browser.close();
    }
    if (node != null) {
      node.close();
    }
  }

  private void open(String query) throws IOException {
    browser.open("http://localhost:" + node.apiPort() + "/" + query);
    browser.awaitTrue(
        "document.getElementById('progress').hidden"
            + " && document.getElementById('said').textContent !== ''");
  }

  @Test
  void fieldsAndShapesAreCountedAndNarrowTheSearch() throws IOException {
    open("?topic=shop");
    browser.press("f");
    browser.awaitText("#panel-content", "u3");
    assertThat(browser.text("#panel-content .value")).contains("info\n396", "error\n4");
    browser.click("#panel-shapes");
    browser.awaitText("#panel-content .value", "info: order taken");
    browser.click("#panel-fields");
    browser.awaitText("#panel-content .pick", "error");
    browser.evaluate(
        "[...document.querySelectorAll('.pick')].find(b => b.innerText === 'error').click()");
    browser.awaitText("#said", "4 records");
    assertThat(browser.word("location.search")).isEqualTo("?where=level%3Derror&topic=shop");
    browser.awaitText("#panel-content .note", "Of 4 records");
    browser.evaluate(
        "[...document.querySelectorAll('.pick')].find(b => b.innerText === 'order taken').click()");
    browser.awaitTrue(
        "document.getElementById('where').value === 'level=error and msg=\"order taken\"'");
    browser.awaitText("#said", "4 records");
  }

  @Test
  void allThatMatchIsCountedByAFieldOnTheNodes() throws IOException {
    open("?topic=shop&where=" + "order%3C100");
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
    open("?topic=shop&where=order%3C");
    browser.awaitText("#trouble", "Parameter where: character 7: expected");
  }
}

package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a browser: what comes while it is open. */
final class PageTailIT extends PageFixture {
  /** Comes true when the list has not moved in many frames, however late they come. */
  private static final String SETTLED =
      """
      new Promise(done => {
        const list = document.getElementById('list');
        let was = null, still = 0;
        const look = () => {
          still = list.scrollTop === was ? still + 1 : 0;
          was = list.scrollTop;
          if (still === 20) done(true); else requestAnimationFrame(look);
        };
        look();
      })\
      """;

  @Test
  void aTailFollowsAndNothingMovesWhereTheReaderLooks() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("followed"))) {
      open(own, "?topic=tail");
      browser.press("t");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      own.send(orders("tail", 0, 100));
      browser.awaitText("#list .text", "order=99 ");
      browser.wheel("#list", -800);
      browser.awaitTrue("document.getElementById('list').scrollTop < 1000");
      browser.evaluate(SETTLED);
      double place = browser.number("document.getElementById('list').scrollTop");
      List<String> seen = rows();
      own.send(orders("tail", 100, 130));
      browser.awaitText("#pill", "30 new");
      assertThat(browser.number("document.getElementById('list').scrollTop")).isEqualTo(place);
      assertThat(rows()).isEqualTo(seen);
      browser.click("#pill");
      browser.awaitText("#list .text", "order=129 ");
      browser.awaitText("#said", "130 records");
      browser.press("p");
      browser.awaitText("#said", "paused");
      own.send(orders("tail", 130, 131));
      browser.awaitText("#pill", "1 new");
      browser.press("p");
      browser.awaitText("#list .text", "order=130 ");
      browser.press("/");
      browser.type("u2");
      browser.press("Enter");
      browser.awaitTrue("location.search === '?q=u2&topic=tail&live=true'");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      own.send(orders("tail", 131, 140));
      browser.awaitText("#list .text", "order=137 ");
      assertThat(rows()).allMatch(row -> row.endsWith("user=u2"));
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
      browser.awaitText("#list .text", "order=19 ");
      assertThat(rows()).hasSize(20).doesNotHaveDuplicates();
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      again.kill();
    }
    browser.press("t");
    browser.awaitText("#trouble", "does not answer. Is it running");
    assertThat(browser.evaluate("document.getElementById('badge').hidden")).isEqualTo(true);
  }

  @Test
  void aPageThatIsNotSeenHoldsNoConnectionAndMissesNothing() throws IOException {
    String see =
        "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
            + "document.dispatchEvent(new Event('visibilitychange'))";
    try (NodeProcess own = NodeProcess.start(folder.resolve("unseen"))) {
      open(own, "?topic=tail&live=true");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      browser.evaluate(see.formatted("true"));
      browser.awaitText("#said", "waits until this page is seen");
      own.send(orders("tail", 0, 20));
      own.awaitRecords(20);
      await().until(() -> own.metric("cordwood_stream_running") == 0);
      assertThat(rows()).isEmpty();
      browser.evaluate(see.formatted("false"));
      browser.awaitText("#list .text", "order=19 ");
      assertThat(rows()).hasSize(20).doesNotHaveDuplicates();
    }
  }

  /** An EventSource does not say why it ends: the page asks once more. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | expected a token         | expected a token",
        "403 | expected a token for it  | expected a token for it",
        "429 | expected fewer tails     | expected fewer tails; trying again",
        "503 | the node is being closed | the node is being closed; trying again"
      })
  void whyANodeRefusesATailIsSaid(int status, String why, String said) throws IOException {
    open(node, "?topic=none");
    browser.evaluate(
        """
        window.EventSource = class {
          static CLOSED = 2;
          readyState = 2;
          constructor() { setTimeout(() => this.onerror()); }
          addEventListener() {}
          close() {}
        };
        window.asked = window.fetch;
        window.fetch = async (at, options) => String(at).startsWith("stream")
            ? new Response("error: %s", { status: %d })
            : window.asked(at, options);
        """
            .formatted(why, status));
    browser.press("t");
    browser.awaitText("#said", said);
    assertThat(browser.text("#said")).doesNotContain("does not answer");
  }

  @Test
  void olderRecordsAreLoadedAfterARequestThatFailed() throws IOException {
    try (NodeProcess own = NodeProcess.start(folder.resolve("failing"))) {
      own.send(orders("default", 0, 3000));
      own.awaitRecords(3000);
      open(own, "");
      browser.evaluate(
          "window.asked = window.fetch;"
              + "window.fetch = async () => new Response('error: no room', { status: 503 })");
      String scrolled =
          "(list => (list.scrollTop = list.scrollTop ? 0 : 40, %s))"
              + "(document.getElementById('list'))";
      browser.awaitTrue(
          scrolled.formatted("document.getElementById('trouble').innerText.includes('o room')"));
      browser.evaluate("window.fetch = window.asked");
      browser.awaitTrue(scrolled.formatted("list.innerText.includes('order=0 ')"));
    }
  }
}

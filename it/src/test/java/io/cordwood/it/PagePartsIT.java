package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page reads a long answer, of which a part has come while the node still runs the query. */
final class PagePartsIT extends PageFixture {
  private static final String RUNNING = "cordwood_query_running";

  private static final int LONG_RECORDS = 900;

  /** All of them are far more than what sockets and the node keep of an answer. */
  private static final String PADDING = "x".repeat(32 << 10);

  private static final int PASSED_BYTES = 4 << 20;

  private NodeProcess own;
  private HoldingProxy proxy;

  @BeforeEach
  void startOwn() throws IOException {
    own = NodeProcess.start(folder);
    own.send(
        IntStream.range(0, LONG_RECORDS)
            .mapToObj(i -> "number %d of long ones %s\n".formatted(i, PADDING))
            .collect(Collectors.joining()));
    own.send(orders("default", 0, 10));
    own.awaitRecords(LONG_RECORDS + 10);
    proxy = new HoldingProxy(own.apiPort(), "/query?", PASSED_BYTES);
  }

  @AfterEach
  void closeOwn() throws IOException {
    proxy.close();
    own.close();
  }

  /** Until the node waits to write the rest of its answer. */
  private void openUntilItIsHeld() throws IOException {
    browser.open("http://localhost:" + proxy.port() + "/?q=number");
    await().until(() -> proxy.held() == 1);
    await().until(() -> own.metric(RUNNING) == 1);
    browser.awaitTrue("!document.getElementById('progress').hidden");
  }

  @Test
  void whatHasComeStaysWhenTheRestDoesNotAndTheNodeGoesOnForNobody() throws IOException {
    openUntilItIsHeld();
    proxy.breakOff();
    browser.awaitText("#trouble", "The answer was broken off");
    assertThat(rows()).isNotEmpty().allMatch(row -> row.startsWith("number "));
    await().until(() -> own.metric(RUNNING) == 0);
  }

  @Test
  void anotherSearchEndsTheOneThatIsReadOnTheNode() throws IOException {
    openUntilItIsHeld();
    browser.press("/");
    browser.type("order");
    browser.press("Enter");
    browser.awaitText("#said", "10 records");
    assertThat(rows()).hasSize(10);
    await().until(() -> own.metric(RUNNING) == 0);
  }
}

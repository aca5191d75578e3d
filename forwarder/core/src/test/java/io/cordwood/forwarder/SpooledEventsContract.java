package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that outlast the application which logged them. */
public abstract class SpooledEventsContract extends AppenderFixture {
  @TempDir private Path folder;

  private AppenderXml spooling() {
    return appender().set("spoolDir", folder.toString()).set("stopTimeout", "10s");
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  /** Before that, what is appended waits in memory alone. */
  private void awaitSpool() {
    await().atMost(LONG).until(() -> Files.exists(folder.resolve("lock")));
  }

  @Test
  void eventsThatNoNodeTookAreSentByTheNextApplication() throws IOException {
    node.close();
    Application first = start(spooling());
    awaitSpool();
    numbered(0, 100).forEach(first::log);
    first.close();
    ForwarderCounters left = first.counters();
    assertThat(left.spool().records()).isEqualTo(100);
    assertThat(left.droppedRecords()).isZero();
    assertLedgerHolds(left);
    assertThat(first.status()).anyMatch(s -> s.contains("100 records are in the spool"));
    startNodeAgain();
    try (Application next = start(spooling())) {
      next.log("event 100");
      awaitAcknowledged(next, 101);
      assertThat(next.counters().spool().recovered()).isEqualTo(100);
      assertLedgerHolds(next.counters());
    }
    assertThat(received()).isEqualTo(numbered(0, 101));
  }

  @Test
  void reconfigurationHandsTheSpoolOver() throws IOException {
    node.close();
    try (Application application = start(spooling())) {
      awaitSpool();
      numbered(0, 100).forEach(application::log);
      application.reconfigure(spooling());
      numbered(100, 200).forEach(application::log);
      await().atMost(LONG).until(() -> application.counters().spool().recovered() == 100);
      startNodeAgain();
      awaitAcknowledged(application, 200);
      assertLedgerHolds(application.counters());
    }
    assertThat(received()).hasSize(200).containsAll(numbered(0, 200));
  }
}

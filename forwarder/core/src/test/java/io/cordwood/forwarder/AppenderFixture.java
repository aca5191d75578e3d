package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;

/** A node, and applications of one logging framework that log to it. */
public abstract class AppenderFixture extends NodeFixture {
  /** The framework with this appender, configured by the text of a file. */
  protected abstract Application start(AppenderXml appender);

  /** Gives up nothing because a machine is slow. */
  protected AppenderXml appender() {
    String patience = LONG.toSeconds() + "s";
    return new AppenderXml()
        .set("targets", node.target().toString())
        .set("topic", "web")
        .set("ackTimeout", patience)
        .set("stopTimeout", patience);
  }

  protected static void awaitAcknowledged(Application application, long records) {
    await().atMost(LONG).until(() -> application.counters().acknowledged() >= records);
  }

  /** Always so, whatever happens. */
  protected static void assertLedgerHolds(ForwarderCounters counters) {
    SpoolCounters spool = counters.spool();
    long gone = counters.acknowledged() + counters.droppedRecords();
    assertThat(gone + counters.pending() + spool.records())
        .isEqualTo(counters.appended() + spool.recovered());
  }

  /** The records that the node has, as text. */
  protected List<String> received() {
    return archive.records().stream().map(r -> new String(r.getBytes(ISO_8859_1), UTF_8)).toList();
  }

  protected static long threadsNamed(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .count();
  }
}

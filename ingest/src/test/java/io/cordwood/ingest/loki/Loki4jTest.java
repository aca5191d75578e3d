package io.cordwood.ingest.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** loki4j, the appender of Logback for Loki, as it comes. */
class Loki4jTest {
  private static final int RECORDS = 2000;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allThatItLogsArrives(boolean protobuf) throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      LoggerContext logback = Loki4j.logback(http.port(), protobuf);
      var log = logback.getLogger("com.acme.App");
      for (int i = 0; i < RECORDS; i++) {
        log.info("hello {} é \"quoted\"", i);
      }
      log.error("boom", new IllegalStateException("two\nlines"));
      logback.stop();
      List<StoredEvent> events = StoredEvent.of(http.node, RECORDS + 1);
      assertThat(
              events.stream()
                  .map(event -> event.text().strip())
                  .filter(it -> !it.startsWith("boom")))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, RECORDS).mapToObj(i -> "hello " + i + " é \"quoted\"").toList());
      assertThat(events).extracting(StoredEvent::topic).containsOnly("shop");
      assertThat(events.getFirst().labels()).isEqualTo(Map.of("app", "shop", "level", "INFO"));
      assertThat(events.getFirst().beside())
          .isEqualTo(Map.of("thread", Thread.currentThread().getName(), "logger", "com.acme.App"));
      assertThat(events)
          .anyMatch(event -> event.text().contains("IllegalStateException: two\nlines"));
      http.node.assertLedgerIsExact();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsAnsweredNotNowItSendsAgain(boolean protobuf) throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var http = new HttpNode(RunningNode.options(folder), files)) {
      LoggerContext logback = Loki4j.logback(http.port(), protobuf);
      logback.getLogger("com.acme.App").info("hello");
      await().until(() -> http.node.counted("requests", "outcome", "refused") > 0);
      failing.set(false);
      await().until(() -> http.node.counted("requests", "outcome", "stored") > 0);
      logback.stop();
      http.node.assertLedgerIsExact();
      assertThat(StoredEvent.of(http.node, http.node.counted("records_stored")))
          .isNotEmpty()
          .allMatch(event -> event.text().strip().equals("hello"));
    }
  }
}

package io.cordwood.ingest.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
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

  /** The configuration of docs/senders.md. */
  private static LoggerContext logback(int port, boolean protobuf) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="LOKI" class="com.github.loki4j.logback.Loki4jAppender">
            <labels>
              app=shop
              level=%level
            </labels>
            <structuredMetadata>
              thread=%thread
              logger=%logger
            </structuredMetadata>
            <message>
              <pattern>%msg %ex</pattern>
            </message>
            <http>
              <url>http://127.0.0.1:PORT/loki/api/v1/push</url>
              <useProtobufApi>PROTOBUF</useProtobufApi>
              <maxRetries>1000</maxRetries>
              <maxRetryBackoffMs>5000</maxRetryBackoffMs>
            </http>
            <batch>
              <timeoutMs>200</timeoutMs>
            </batch>
          </appender>
          <root level="INFO">
            <appender-ref ref="LOKI"/>
          </root>
        </configuration>
        """
            .replace("PORT", Integer.toString(port))
            .replace("PROTOBUF", Boolean.toString(protobuf));
    var context = new LoggerContext();
    var joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return context;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allThatItLogsArrives(boolean protobuf) throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      LoggerContext logback = logback(http.port(), protobuf);
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
      LoggerContext logback = logback(http.port(), protobuf);
      logback.getLogger("com.acme.App").info("hello");
      await().until(() -> http.node.counted("requests", "outcome", "refused") > 0);
      failing.set(false);
      await().until(() -> http.node.counted("requests", "outcome", "stored") > 0);
      logback.stop();
      assertThat(StoredEvent.of(http.node, http.node.counted("records_stored")))
          .isNotEmpty()
          .allMatch(event -> event.text().strip().equals("hello"));
    }
  }
}

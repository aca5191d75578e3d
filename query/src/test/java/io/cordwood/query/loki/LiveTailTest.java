package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.Receiver;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.tail.TailClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Any node gives what two receive to those who follow as they do Loki. */
final class LiveTailTest {
  private final TestCluster cluster = new TestCluster(1);
  private final List<Receiver> receivers = List.of(new Receiver(), new Receiver());
  private Node asked;

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < receivers.size(); i++) {
      cluster.ingest("ingest-" + i, receivers.get(i));
    }
    asked = cluster.query("asked");
    TailClient.awaitAllFollowedAtOnce(asked, receivers);
  }

  @AfterEach
  void stop() {
    Receiver.awaitUnfollowed(receivers);
    cluster.close();
  }

  private TailSocket open(String query, String... more) {
    String[] pairs = new String[2 + more.length];
    System.arraycopy(new String[] {"query", query}, 0, pairs, 0, 2);
    System.arraycopy(more, 0, pairs, 2, more.length);
    return new TailSocket(asked.port(), path("tail", pairs), true, false);
  }

  private static Batch batch(String topic, Map<String, String> labels, String... lines) {
    return Records.lines(new Topic(topic), Receiver.stamp(lines.length), lines)
        .labelled(Labels.of(labels));
  }

  @Test
  void whatIsReceivedComesWithItsLabels() {
    try (var all = open("{} |= `a`");
        var some = open("{service_name=~`pay.*`} | logfmt | n > 1");
        var kinds =
            new TailSocket(
                asked.port(), path("tail", "query", "{topic=`shop`} | logfmt"), true, true)) {
      receivers.get(0).receive(batch("shop", Map.of("pod", "a"), "level=info n=1 a", "no"));
      receivers.get(1).receive(batch("pay", Map.of(), "n=1 a", "n=2 b"));
      receivers.get(1).receive(batch("x", Map.of("service_name", "pays"), "n=3 last a"));
      all.awaitText("last a");
      all.awaitText("level=info n=1 a");
      assertThat(all.messages().toString())
          .containsPattern("\\{\"streams\":\\[\\{\"stream\":\\{\"detected_level\":\"info\",")
          .containsPattern("\"values\":\\[\\[\"\\d{19}\",\"level=info n=1 a\"]]")
          .doesNotContain("n=2 b", "\"no\"");
      some.awaitText("n=3 last a");
      some.awaitText("n=2 b");
      assertThat(some.messages().toString()).doesNotContain("n=1");
      kinds.awaitText("no");
      assertThat(kinds.messages().getFirst())
          .startsWith(
              "{\"encodingFlags\":[\"categorize-labels\"],\"streams\":[{\"stream\":{\"pod\":\"a\","
                  + "\"service_name\":\"shop\",\"topic\":\"shop\"},\"values\":[[\"")
          .contains("\"structuredMetadata\":{\"detected_level\":\"info\"},\"parsed\":{\"level\"");
    }
  }

  @Test
  void theNewestOfThoseBeforeComeFirst() {
    for (int i = 0; i < 20; i++) {
      receivers.get(i % 2).receive(batch(i % 4 < 2 ? "shop" : "pay", Map.of(), "line " + i));
    }
    try (var three = open("{service_name=~`shop|pay`}", "limit", "3")) {
      three.awaitText("line 19");
      receivers.get(0).receive("new");
      receivers.get(0).receive(batch("shop", Map.of(), "newer"));
      three.awaitText("newer");
      assertThat(three.messages().toString())
          .contains("line 17", "line 18", "line 19")
          .doesNotContain("line 16", "\"new\"");
    }
  }

  @Test
  void whoReadsTooSlowlyIsToldWhatItMissed() {
    String padding = "x".repeat(100_000);
    try (var slow = new TailSocket(asked.port(), path("tail", "query", "{}"), false, false);
        var quick = open("{} |= `quiet`")) {
      await()
          .until(() -> {
            receivers.get(0).receive("loud " + padding);
            return asked.meters.get("cordwood.stream.dropped.records").counter().count() > 0;
          });
      receivers.get(1).receive("quiet");
      quick.awaitText("quiet");
      slow.read();
      slow.awaitText("\"dropped_entries\":[{\"labels\":{\"dropped_records\":\"");
      receivers.get(1).receive("at last");
      slow.awaitText("at last");
    }
  }

  @Test
  void aNodeThatStopsSaysSo() {
    try (var client = open("{}")) {
      receivers.get(0).receive("before");
      client.awaitText("before");
      asked.stops = true;
      assertThat(client.awaitEnd()).isEqualTo(1001);
    }
  }

  @Test
  void aFormatThatMakesTooLongATextEndsIt() {
    String format = "{} | line_format `{{__line__ | replace \"a\" \"%s\"}}`";
    try (var client = open(format.formatted("b".repeat(5000)))) {
      receivers.get(0).receive("short: a");
      client.awaitText("short: bbb");
      receivers.get(0).receive("a".repeat(1000));
      assertThat(client.awaitEnd()).isEqualTo(1011);
    }
    assertThat(
            asked.meters.get("cordwood.query.loki.refused").tag("limit", "query").counter().count())
        .isEqualTo(1);
  }

  @Test
  void whatCannotBeFollowedIsRefusedBeforeItBegins() throws IOException {
    assertRefused("tail?query=rate(%7B%7D%5B1m%5D)", 400, "found a number");
    assertRefused("tail?query=%7B%7D&delay_for=6", 400, "parameter delay_for: expected seconds");
    assertRefused("tail?query=%7B%7D&limit=0", 400, "parameter limit");
    assertRefused("tail?query=%7B%7D", 426, "expected a WebSocket of version 13");
  }

  private void assertRefused(String path, int status, String message) throws IOException {
    Answer answer = asked.get("/loki/api/v1/" + path);
    assertThat(answer.text()).contains(message);
    assertThat(answer.status()).isEqualTo(status);
  }
}

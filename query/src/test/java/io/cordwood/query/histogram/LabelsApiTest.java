package io.cordwood.query.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LabelsApiTest {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private static Batch batch(String topic, int millis, Map<String, String> labels) {
    return Records.lines(new Topic(topic), Ulid.firstOf(FIRST_MILLIS + millis), "a", "b")
        .labelled(Labels.of(labels));
  }

  private static final List<Batch> BATCHES =
      List.of(
          batch("shop", 0, Map.of("pod", "web-1", "host", "a\tb")),
          batch("shop", 1, Map.of("pod", "web-2", "host", "c")),
          batch("pay", 2, Map.of("pod", "web-1")),
          batch("pay", 3, Map.of()));

  private static List<String> counts(Answer answer) {
    return answer
        .text()
        .lines()
        .map(line -> line.split("\t", -1))
        .map(line -> line[0] + " " + line[4])
        .toList();
  }

  @Test
  void everyNodeNamesTheLabelsOfAllWithTheirSums() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store("store", new SegmentFixture(1, 1, BATCHES));
      cluster.ingest("ingest", SegmentFixture.unconsumed(List.of(BATCHES.subList(0, 2))));
      for (Node node : cluster.nodes) {
        Answer names = node.get("/labels");
        assertThat(counts(names)).containsExactly("8 host", "10 pod");
        assertThat(names.field("verdict")).isEqualTo("complete");
        assertThat(names.field("blocks-read")).isEqualTo("0");
        assertThat(counts(node.get("/labels?name=pod"))).containsExactly("6 web-1", "4 web-2");
        assertThat(counts(node.get("/labels?name=@host"))).containsExactly("4 a\\tb", "4 c");
        assertThat(counts(node.get("/labels?name=pod&topic=pay"))).containsExactly("2 web-1");
        assertThat(node.get("/labels?name=pod&from=2001-01-01&to=2001-01-02").text()).isEmpty();
        assertThat(node.get("/labels?name=none").text()).isEmpty();
      }
    }
  }

  @Test
  void asJsonEachIsAnObjectAndTheVerdictIsTheLast() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Node one = cluster.store("store", new SegmentFixture(1, 1, BATCHES));
      assertThat(one.get("/labels?name=host&format=json").text().lines().toList())
          .satisfiesExactly(
              a ->
                  assertThat(a)
                      .startsWith(
                          "{\"value\":\"a\\tb\",\"records\":2,\"bytes\":4,\"first\":\"2023-11-14T"),
              c -> assertThat(c).startsWith("{\"value\":\"c\","),
              end -> assertThat(end).startsWith("{\"verdict\":\"complete\",\"matches\":2"));
      assertThat(one.get("/labels?format=json").text()).startsWith("{\"name\":\"host\",");
    }
  }

  @Test
  void aNameThatNoLabelHasIsRefused() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Answer answer = cluster.query("asked").get("/labels?name=topic");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).startsWith("error: parameter name: expected a label with another");
    }
  }

  @Test
  void manyValuesAreGiven() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      batches.add(batch("shop", i, Map.of("pod", "p" + i)));
    }
    try (var cluster = new TestCluster(1)) {
      Node one = cluster.store("store", new SegmentFixture(1, 2, batches));
      assertThat(one.get("/labels?name=pod").text().lines()).hasSize(3000);
    }
  }
}

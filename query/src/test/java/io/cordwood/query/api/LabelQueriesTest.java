package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches with labels, asked for by their labels, of several nodes. */
final class LabelQueriesTest {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private static Batch line(int millis, String line, String... labels) {
    Map<String, String> pairs =
        Stream.of(labels).map(l -> l.split("=", 2)).collect(Collectors.toMap(l -> l[0], l -> l[1]));
    return Records.lines(Ulid.firstOf(FIRST_MILLIS + millis), line).labelled(Labels.of(pairs));
  }

  private static String ask(List<Batch> batches, String path) throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.ingest("one", SegmentFixture.unconsumed(List.of(batches)));
      cluster.store("two", new SegmentFixture(1, 1, batches));
      Answer answer = cluster.query("asked").get(path);
      return answer.text();
    }
  }

  @Test
  void aLabelIsAFieldThatARecordOfThatNameHides() throws IOException {
    List<Batch> batches =
        List.of(
            line(1, "one", "pod=web-1"), line(2, "pod=db-1", "pod=web-1"), line(3, "pod=web-1"));
    assertThat(ask(batches, "/query?where=%40pod%3Dweb-1")).isEqualTo("one\npod=db-1\n");
    assertThat(ask(batches, "/query?where=pod%3Dweb-1")).isEqualTo("one\npod=web-1\n");
    assertThat(ask(batches, "/query?where=%40pod!%3Dweb-1")).isEmpty();
    assertThat(ask(batches, "/query?where=%40pod%3F!%3Dweb-1")).isEqualTo("pod=web-1\n");
    assertThat(ask(batches, "/query?count=true&where=%40pod~web&q=pod")).isEqualTo("1\n");
  }

  @Test
  void recordsAsJsonHaveTheirLabels() throws IOException {
    List<Batch> batches = List.of(line(1, "one", "pod=web-1", "host=\u202ea\"b"), line(2, "two"));
    assertThat(ask(batches, "/query?format=json&parsed=true").lines().limit(2))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .contains(
                        "\"labels\":{\"host\":\"\u202ea\\\"b\",\"pod\":\"web-1\"},\"record\""),
            two -> assertThat(two).doesNotContain("labels"));
  }

  @Test
  void aBlockThatHasNotTheLabelIsNotRead() throws IOException {
    try (var cluster = new TestCluster(1)) {
      for (int i = 0; i < 4; i++) {
        String pod = i == 3 ? "pod=db" : "pod=web-" + i;
        cluster.store("of-" + i, new SegmentFixture(1, 1, List.of(line(i, "same", pod))));
      }
      Node asked = cluster.query("asked");
      assertThat(asked.get("/query?where=%40pod%3Dweb-1").field("blocks-skipped")).isEqualTo("3");
      assertThat(asked.get("/query?where=pod%3Dweb-1").field("blocks-skipped")).isEqualTo("3");
      assertThat(asked.get("/query?where=%40pod~web-2").field("blocks-skipped")).isEqualTo("3");
      assertThat(asked.get("/query?where=%40pod~web").text()).isEqualTo("same\nsame\nsame\n");
      assertThat(asked.get("/query?q=nothing&where=%40pod~web").text()).isEmpty();
    }
  }

  @Test
  void contextSaysWhoseItIsAndHidesNoMatchOfOtherLabels() throws IOException {
    Batch own = Records.lines(Ulid.firstOf(FIRST_MILLIS), "a", "hit 1", "b");
    List<Batch> batches =
        List.of(
            own.labelled(Labels.of(Map.of("pod", "web-1"))),
            Records.lines(Ulid.firstOf(FIRST_MILLIS), "x", "hit 2")
                .labelled(Labels.of(Map.of("pod", "web-2"))));
    for (String contexts : List.of("before=1&after=0", "before=0&after=1", "before=2&after=2")) {
      List<String> lines = ask(batches, "/query?format=json&q=hit&" + contexts).lines().toList();
      assertThat(lines)
          .filteredOn(line -> line.contains("hit 1"))
          .singleElement()
          .asString()
          .contains("web-1");
      assertThat(lines)
          .filteredOn(line -> line.contains("hit 2"))
          .singleElement()
          .asString()
          .contains("web-2");
      assertThat(lines)
          .filteredOn(line -> line.contains("ulid"))
          .allMatch(line -> line.contains("\"labels\":{\"pod\":"));
    }
    String where = "/query?q=hit&before=1&where=%40pod%3Dweb-2";
    assertThat(ask(batches, where)).contains("hit 2").doesNotContain("hit 1");
  }

  @Test
  void recordsAreCountedByLabels() throws IOException {
    List<Batch> batches =
        List.of(line(1, "n=1", "pod=web-1"), line(2, "n=2 pod=web-2", "pod=web-1"), line(3, "n=4"));
    assertThat(ask(batches, "/stats?by=%40pod")).contains("2", "web-1").doesNotContain("web-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"@=1", "@topic=1", "@time>1", "@a b=1", "@1=1"})
  void labelsThatNoBatchCanHaveAreRefused(String where) throws IOException {
    try (var cluster = new TestCluster(1)) {
      Answer answer =
          cluster
              .query("asked")
              .get("/query?where=" + URLEncoder.encode(where, StandardCharsets.UTF_8));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).startsWith("error: parameter where: character ");
    }
  }

  /** It would take a record's own field for the label. */
  @Test
  void aNodeThatKnowsNoLabelsIsAskedInAWayThatItRefuses() throws IOException {
    try (var cluster = new TestCluster(1);
        var older = new OlderNode(cluster)) {
      Answer answer = cluster.query("asked").get("/query?where=%40a%3D1&time_limit=5s");
      assertThat(older.asked().params("extent_labels")).containsExactly("part");
      assertThat(older.asked().params("extent_where")).isEmpty();
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }
}

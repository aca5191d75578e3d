package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.fields.RandomRecords;
import io.cordwood.query.fields.RandomRecords.Sample;
import io.cordwood.query.fields.RandomWhere;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on fields, asked of clusters with copies. */
final class FieldQueriesTest {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final List<Sample> samples = new ArrayList<>();

  private List<Batch> batches(long seed, int count) {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed);
    List<Labels> sets = Stream.generate(records::labels).limit(8).toList();
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Labels labels = random.nextInt(3) == 0 ? Labels.NONE : sets.get(random.nextInt(sets.size()));
      List<Sample> some =
          Stream.generate(records::next)
              .limit(1 + random.nextInt(20))
              .map(sample -> sample.of(labels))
              .toList();
      samples.addAll(some);
      batches.add(
          Records.batch(
                  Topic.DEFAULT,
                  random.nextBoolean() ? Delimiter.LF : Delimiter.NUL,
                  Ulid.firstOf(FIRST_MILLIS + 10L * i),
                  some.stream().map(Sample::bytes).toList())
              .labelled(labels));
    }
    return batches;
  }

  private static String where(List<String> texts) {
    return texts.stream()
        .map(text -> "&where=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @CsvSource({"51, 1", "52, 2", "53, 3"})
  void everyNodeFindsAndCountsWhatANaiveReaderFinds(long seed, int replicationFactor)
      throws IOException {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed + 1000);
    try (var cluster = TestCluster.random(seed, replicationFactor, batches(seed, 60))) {
      for (int i = 0; i < 15; i++) {
        RandomWhere where = RandomWhere.of(random, records);
        boolean invert = random.nextInt(4) == 0;
        String q = random.nextInt(3) == 0 ? "error" : "";
        List<String> expected =
            samples.stream()
                .filter(s -> where.holds().test(s) && s.text().contains(q) != invert)
                .map(Sample::text)
                .toList();
        Node node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
        String asked = "?q=" + q + "&invert=" + invert + where(where.texts());
        String what = "seed %d, %s, %s".formatted(seed, node.id, where.texts());
        Answer answer = node.get("/query" + asked);
        assertThat(answer.text().lines().toList()).as(what).isEqualTo(expected);
        assertThat(answer.field("verdict")).as(what).isEqualTo("complete");
        Answer count = node.get("/query" + asked + "&count=true");
        assertThat(count.text()).as(what).isEqualTo(expected.size() + "\n");
        Answer histogram = node.get("/histogram" + asked + "&bucket=1000d");
        assertThat(histogram.text()).as(what).endsWith("Z " + expected.size() + "\n");
      }
    }
  }

  @Test
  void whatAnswersWithoutANodeThatDiedIsRightAndNotCalledAll() throws IOException {
    List<Batch> batches = batches(61, 20);
    try (var cluster = new TestCluster(1)) {
      cluster.store("one", new SegmentFixture(1, 1, batches.subList(0, 10)));
      Node two = cluster.store("two", new SegmentFixture(2, 1, batches.subList(10, 20)));
      Node asked = cluster.query("asked");
      String path = "/query?where=" + URLEncoder.encode("level=error", StandardCharsets.UTF_8);
      List<String> all = asked.get(path).text().lines().toList();
      assertThat(all).isNotEmpty().isEqualTo(texts(samples));
      two.close();
      Answer answer = asked.get(path);
      int ofFirst = batches.subList(0, 10).stream().mapToInt(Batch::records).sum();
      assertThat(answer.text().lines().toList()).isEqualTo(texts(samples.subList(0, ofFirst)));
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
      assertThat(answer.field("missing")).contains("two");
    }
  }

  private static List<String> texts(List<Sample> samples) {
    return samples.stream()
        .filter(sample -> "error".equals(sample.value("level")))
        .map(Sample::text)
        .toList();
  }

  /** Its blocks hold the text, but not where it would have to be. */
  @Test
  void blocksThatHoldNeitherTheTextNorItsEscapesAreNotRead() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String value = List.of("seldom", "s\\u0065ldom", "often!").get(i);
      String line = "{\"kind\":\"" + value + "\"}";
      batches.add(Records.lines(Ulid.firstOf(FIRST_MILLIS + i), line));
    }
    try (var cluster = new TestCluster(1)) {
      for (Batch batch : batches) {
        cluster.store("of-" + batch.first(), new SegmentFixture(1, 1, List.of(batch)));
      }
      Answer answer = cluster.query("asked").get("/query?where=kind%3Dseldom");
      assertThat(answer.text()).isEqualTo("{\"kind\":\"seldom\"}\n{\"kind\":\"s\\u0065ldom\"}\n");
      assertThat(answer.field("blocks-skipped")).isEqualTo("1");
    }
  }

  @Test
  void theSameConditionsAskedAgainFindTheSame() throws IOException {
    List<Batch> batches = batches(62, 30);
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.store("one", new SegmentFixture(1, 2, batches));
      for (String where :
          List.of("level%3Derror", "level%3Dno", "level!%3Derror", "level%3Derror")) {
        String text = node.get("/query?where=" + where).text();
        assertThat(node.get("/query?where=" + where).text()).isEqualTo(text);
      }
      assertThat(node.get("/query?where=level%3Derror").text().lines().toList())
          .isEqualTo(texts(samples));
    }
  }

  /** It would take all records for what was asked, if it did not miss a parameter. */
  @Test
  void aNodeThatKnowsNoConditionsIsAskedInAWayThatItRefuses() throws IOException {
    try (var cluster = new TestCluster(1);
        var older = new OlderNode(cluster)) {
      Answer answer = cluster.query("asked").get("/query?where=a%3D1&time_limit=5s");
      assertThat(older.asked().params("where")).containsExactly("a=1");
      assertThat(older.asked().params("extent_where")).containsExactly("part");
      assertThat(older.asked().params("extent")).isEmpty();
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }

  @Test
  void conditionsThatAreNoneAreRefused() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.query("asked");
      for (String path : List.of("/query", "/histogram", "/stream")) {
        Answer answer = node.get(path + "?where=level+error");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text())
            .isEqualTo(
                "error: parameter where: character 7: expected an operator such as =, found"
                    + " \"e\"\n");
      }
    }
  }
}

package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Routes;
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
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches with labels, asked for by their labels, of several nodes. */
final class LabelQueriesTest {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final List<Sample> samples = new ArrayList<>();

  private List<Batch> batches(long seed, int count) {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed);
    List<Labels> sets = Stream.generate(records::labels).limit(12).toList();
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Labels labels = sets.get(random.nextInt(sets.size()));
      List<Sample> some =
          Stream.generate(records::next)
              .limit(1 + random.nextInt(20))
              .map(sample -> sample.of(labels))
              .toList();
      samples.addAll(some);
      Batch bare =
          Records.batch(
              Topic.DEFAULT,
              random.nextInt(9) > 0 ? Delimiter.LF : Delimiter.NUL,
              Ulid.firstOf(FIRST_MILLIS + 10L * i),
              some.stream().map(Sample::bytes).toList());
      batches.add(bare.labelled(labels));
    }
    return batches;
  }

  private static String where(List<String> texts) {
    return texts.stream()
        .map(text -> "&where=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(longs = {81, 82})
  void everyNodeFindsAndCountsWhatANaiveReaderFinds(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed + 1000);
    List<Batch> batches = batches(seed, 60);
    try (var cluster = new TestCluster(1)) {
      for (int i = 0; i < 3; i++) {
        List<Batch> some = batches.stream().filter(_ -> random.nextInt(3) > 0).toList();
        cluster.ingest("ingest-" + i, SegmentFixture.unconsumed(List.of(some)));
      }
      cluster.ingest("all", SegmentFixture.unconsumed(List.of(batches)));
      for (int i = 0; i < 30; i++) {
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
      }
    }
  }

  private static Batch line(int millis, String line, String... labels) {
    Map<String, String> pairs =
        Stream.of(labels).map(l -> l.split("=", 2)).collect(Collectors.toMap(l -> l[0], l -> l[1]));
    return Records.lines(Ulid.firstOf(FIRST_MILLIS + millis), line).labelled(Labels.of(pairs));
  }

  private static String ask(List<Batch> batches, String path) throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.ingest("one", SegmentFixture.unconsumed(List.of(batches)));
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
  void aNodeThatKnowsNoLabelsIsAskedInAWayThatItRefuses() throws Exception {
    var asked = new CompletableFuture<Request>();
    Routes routes =
        new Routes().get(ApiPaths.QUERY_TIER, Params.ANY, (ask, _) -> asked.complete(ask));
    try (var cluster = new TestCluster(1);
        HttpServer older =
            HttpServer.start(
                HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry())) {
      cluster.addStranger("older", older.port());
      Answer answer = cluster.query("asked").get("/query?where=%40a%3D1&time_limit=5s");
      assertThat(asked.get().params("extent_labels")).containsExactly("part");
      assertThat(asked.get().params("extent_where")).isEmpty();
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }
}

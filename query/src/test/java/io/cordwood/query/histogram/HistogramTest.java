package io.cordwood.query.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every node counts what a naive count over all records gives. */
final class HistogramTest {
  private static String text(Expected record) {
    return new String(record.bytes(), StandardCharsets.ISO_8859_1);
  }

  /** What the answer should be: a line a bucket, with a number for each of the patterns. */
  private static String counted(
      List<Expected> records, List<Predicate<Expected>> patterns, long widthMillis) {
    long first = records.getFirst().ulid().millis() / widthMillis;
    long last = records.getLast().ulid().millis() / widthMillis;
    var lines = new StringBuilder();
    for (long bucket = first; bucket <= last; bucket++) {
      long[] counts = new long[patterns.size()];
      for (Expected record : records) {
        if (record.ulid().millis() / widthMillis == bucket) {
          for (int i = 0; i < counts.length; i++) {
            if (patterns.get(i).test(record)) {
              counts[i]++;
              break;
            }
          }
        }
      }
      lines.append(Instant.ofEpochMilli(bucket * widthMillis));
      for (long count : counts) {
        lines.append(' ').append(count);
      }
      lines.append('\n');
    }
    return lines.toString();
  }

  private static Predicate<Expected> contains(String needle) {
    return r -> text(r).contains(needle);
  }

  private static String q(String pattern) {
    return "&q=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"31, 1", "32, 2", "33, 3", "34, 2"})
  void everyNodeCountsWhatANaiveCountFinds(long seed, int replicationFactor) throws IOException {
    List<Batch> batches = SegmentFixture.batches(seed, 150);
    List<Expected> all = new SegmentFixture(seed, 1, batches).records();
    var random = new SplittableRandom(seed);
    try (var cluster = TestCluster.random(seed, replicationFactor, batches)) {
      for (Node node : cluster.nodes) {
        long width = 1L + random.nextInt(200);
        int from = random.nextInt(all.size());
        List<Expected> part = all.subList(from, from + 1 + random.nextInt(all.size() - from));
        String range = "&from=%s&to=%s".formatted(part.getFirst().ulid(), part.getLast().ulid());
        String path = "/histogram?bucket=" + width + "ms";
        String what = "seed %d, %s, %d ms".formatted(seed, node.id, width);
        check(node, path, counted(all, List.of(r -> true), width), what);
        check(node, path + range, counted(part, List.of(r -> true), width), what);
        check(
            node,
            path + range + q("line 5"),
            counted(part, List.of(contains("line 5")), width),
            what);
        check(
            node,
            path + range + q("line 5") + "&invert=true",
            counted(part, List.of(contains("line 5").negate()), width),
            what);
        check(
            node,
            path + q("line 5") + q("ine") + q("\tat "),
            counted(all, List.of(contains("line 5"), contains("ine"), contains("\tat ")), width),
            what);
        check(
            node,
            path + "&topic=web-*" + q("line") + q(""),
            counted(all, List.of(ofWeb().and(contains("line")), ofWeb()), width),
            all,
            what);
      }
    }
  }

  @Test
  void countsAreSplitByTopicAndByField() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store("a", new SegmentFixture(1, 1, List.of(ofTopic("pay", 0, "s=1", "s=2", "s=3"))));
      cluster.store("b", new SegmentFixture(1, 1, List.of(ofTopic("shop", 10, "s=1", "x"))));
      Node asked = cluster.query("asked");
      assertThat(asked.get("/histogram?bucket=10ms&by=topic").text())
          .isEqualTo(
              """
              time\tpay\tshop
              1970-01-01T00:00:00Z\t3\t0
              1970-01-01T00:00:00.010Z\t0\t2
              """);
      assertThat(asked.get("/histogram?bucket=10ms&by=s&top=1&format=csv&where=s%3E0").text())
          .isEqualTo(
              "time,1,others\r\n1970-01-01T00:00:00Z,1,2\r\n1970-01-01T00:00:00.010Z,1,0\r\n");
      assertThat(asked.get("/histogram?bucket=20ms&by=topic&format=json").text())
          .startsWith(
              "{\"time\":\"1970-01-01T00:00:00Z\",\"count\":5,\"by\":{\"pay\":3,\"shop\":2}}\n");
      assertThat(asked.get("/histogram?bucket=20ms&levels=true&format=csv").text())
          .isEqualTo("time,error,warn,info,debug,none\r\n1970-01-01T00:00:00Z,0,0,0,0,5\r\n");
      assertThat(asked.get("/histogram?bucket=20ms&rate=true").text())
          .isEqualTo("1970-01-01T00:00:00Z 250\n");
      assertThat(asked.get("/topics?format=csv").text().split("\r\n"))
          .containsExactly(
              "topic,records,bytes,first,last",
              "pay,3,12,1970-01-01T00:00:00Z,1970-01-01T00:00:00Z",
              "shop,2,6,1970-01-01T00:00:00.010Z,1970-01-01T00:00:00.010Z");
    }
  }

  private static Batch ofTopic(String topic, long millis, String... records) {
    return Records.batch(
        new Topic(topic),
        Delimiter.LF,
        Ulid.firstOf(millis),
        List.of(records).stream().map(r -> r.getBytes(StandardCharsets.UTF_8)).toList());
  }

  private static Predicate<Expected> ofWeb() {
    return r -> r.topic().name().equals("web-7");
  }

  private static void check(Node node, String path, String expected, String what)
      throws IOException {
    Answer answer = node.get(path);
    assertThat(answer.text()).as(what + " " + path).isEqualTo(expected);
    assertThat(answer.field("verdict")).as(what).isEqualTo("complete");
    long sum =
        expected
            .lines()
            .flatMap(line -> List.of(line.split(" ", -1)).stream().skip(1))
            .mapToLong(Long::parseLong)
            .sum();
    assertThat(answer.field("matches")).as(what).isEqualTo(sum + "");
  }

  /** Where buckets of a topic's own records begin and end elsewhere, with a range of all. */
  private static void check(
      Node node, String path, String expected, List<Expected> all, String what) throws IOException {
    String range = "&from=%s&to=%s".formatted(all.getFirst().ulid(), all.getLast().ulid());
    check(node, path + range, expected, what);
  }

  @Test
  void wholeBlocksAreCountedWithoutReadingThem() throws IOException {
    List<Batch> batches = SegmentFixture.batches(41, 100);
    int records = batches.stream().mapToInt(Batch::records).sum();
    try (var cluster = new TestCluster(2)) {
      cluster.store("one", new SegmentFixture(41, 1, batches));
      cluster.store("two", new SegmentFixture(41, 1, batches));
      Node asked = cluster.query("asked");
      Answer coarse = asked.get("/histogram?bucket=1000d");
      assertThat(coarse.text()).matches("2\\d{3}-.*Z " + records + "\n");
      assertThat(coarse.field("blocks-read")).isEqualTo("0");
      assertThat(asked.get("/histogram?bucket=2ms").field("blocks-read")).isNotEqualTo("0");
      Answer count = asked.get("/query?count=true");
      assertThat(count.text()).isEqualTo(records + "\n");
      assertThat(count.field("matches")).isEqualTo(records + "");
      assertThat(count.field("blocks-read")).isEqualTo("0");
      assertThat(asked.get("/query?count=true&progress=true").text()).endsWith(records + "\n");
    }
  }

  /** Each block as a whole looks like the other's: they differ in a batch in the middle. */
  @Test
  void blocksThatOnlyLookLikeCopiesAreBothRead() throws IOException {
    List<Batch> some = new ArrayList<>();
    List<Batch> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Ulid ulid = Ulid.firstOf(1_700_000_000_000L + i);
      Batch batch = Records.lines(ulid, "same");
      if (i != 1) {
        some.add(batch);
      }
      if (i != 2) {
        others.add(batch);
      }
    }
    try (var cluster = new TestCluster(1)) {
      cluster.store("one", new SegmentFixture(1, 1, some));
      cluster.store("two", new SegmentFixture(1, 1, others));
      Node asked = cluster.query("asked");
      assertThat(asked.get("/histogram?bucket=1d").text()).endsWith("Z 4\n");
      assertThat(asked.get("/query?count=true").text()).isEqualTo("4\n");
    }
  }

  @Test
  void jsonHasTheSameNumbersAndTheVerdict() throws IOException {
    List<Batch> batches = SegmentFixture.batches(42, 40);
    List<Expected> all = new SegmentFixture(42, 1, batches).records();
    long lines = all.stream().filter(contains("line")).count();
    long rest = all.stream().filter(contains("line").negate()).filter(contains("e")).count();
    try (var cluster = TestCluster.random(42, 2, batches)) {
      String answer =
          cluster.nodes.getLast().get("/histogram?format=json&buckets=1&q=line&q=e").text();
      assertThat(answer)
          .contains("\"count\":%d,\"counts\":[%d,%d]}\n".formatted(lines + rest, lines, rest))
          .endsWith("{\"verdict\":\"complete\",\"matches\":" + (lines + rest) + "}\n");
      cluster.forget(cluster.nodes.getFirst());
      assertThat(cluster.nodes.getLast().get("/histogram").field("verdict"))
          .isEqualTo("possibly-incomplete");
    }
  }

  @Test
  void recordsThatMatchAreCountedByLevel() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      batches.add(
          Records.lines(
              Ulid.firstOf(1_700_000_000_000L + i),
              "ERROR a",
              "level=info a",
              "level=warn b",
              "a"));
    }
    try (var cluster = TestCluster.random(44, 2, batches)) {
      Node node = cluster.nodes.getLast();
      assertThat(node.get("/histogram?bucket=1d&levels=true").text()).endsWith("Z 30 30 30 0 30\n");
      assertThat(node.get("/histogram?bucket=1d&levels=true&q=+a&q=+b").text())
          .endsWith("Z 30 30 30 0 0\n");
      assertThat(node.get("/histogram?bucket=1d&levels=true&q=+a&invert=true&format=json").text())
          .contains("\"count\":60,\"counts\":[0,30,0,0,30]}\n");
    }
  }

  @Test
  void bucketsAreAtMostAsManyAsAskedForAndNotMuchFewer() throws IOException {
    List<Batch> batches = SegmentFixture.batches(43, 400);
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.store("one", new SegmentFixture(43, 1, batches));
      for (int most : new int[] {1, 2, 7, 60, 400}) {
        long lines = node.get("/histogram?buckets=" + most).text().lines().count();
        assertThat(lines).isBetween((long) most / 4, (long) most);
      }
      assertThat(node.get("/histogram?from=2001-01-01&to=2021-01-01").text().lines().count())
          .isBetween(15L, 60L);
      assertThat(node.get("/histogram?to=2001-01-01").text()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bucket=0s | parameter bucket: expected 1ms or more",
        "bucket=1s&buckets=3 | expected one of bucket and buckets",
        "buckets=10001 | parameter buckets: expected a number from 1 to 10000",
        "bucket=1ms&from=2001-01-01&to=2001-02-01 | expected at most 10000 buckets",
        "limit=3 | parameter limit: /histogram has none; it has q, ",
        "by=a,b | parameter by: expected one field without levels, found more",
        "format=xml | parameter format: expected text, json or csv",
      })
  void badParametersAreRefusedByName(String parameters, String message) throws IOException {
    try (var cluster = new TestCluster(1)) {
      Answer answer = cluster.query("asked").get("/histogram?" + parameters);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains(message);
    }
  }
}

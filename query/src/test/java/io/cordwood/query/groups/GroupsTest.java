package io.cordwood.query.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.RandomRecords.Sample;
import io.cordwood.query.groups.RecordGroups.Measured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clusters with copies count and measure. */
final class GroupsTest extends GroupsFixture {
  private static String column(@Nullable String value) {
    return value == null
        ? "-"
        : value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  /** Lines of keys and their numbers, the greatest numbers first. */
  private static List<String> counted(List<Sample> samples, Function<Sample, String> key) {
    Map<String, Long> counts =
        samples.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(each -> each.getKey() + "\t" + each.getValue())
        .toList();
  }

  private static List<String> byKey(List<String> lines) {
    return lines.stream().sorted(Comparator.naturalOrder()).toList();
  }

  /** Each topic on another node, of which none is asked. */
  @Test
  void recordsAreCountedByTopicByStepsAndByGroups() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store(
          "a", new SegmentFixture(1, 1, List.of(ofTopic("shop", "took 7 ms status=503"))));
      cluster.store(
          "b",
          new SegmentFixture(
              1, 1, List.of(ofTopic("pay", "took 15 ms status=200", "took 25 ms status=204"))));
      Node asked = cluster.query("asked");
      assertThat(asked.get("/stats?by=topic").text()).isEqualTo("topic\tcount\npay\t2\nshop\t1\n");
      assertThat(asked.get("/stats?by=status/100").text())
          .isEqualTo("status/100\tcount\n200\t2\n500\t1\n");
      String extract = "&extract=took%20(%3F%3Cms%3E%5Cd%2B)";
      assertThat(asked.get("/stats?by=topic,ms/10&max=ms" + extract).text())
          .isEqualTo(
              "topic\tms/10\tcount\tmax(ms)\npay\t10\t1\t15\npay\t20\t1\t25\nshop\t0\t1\t7\n");
      assertThat(asked.get("/query?where=ms%3E10" + extract).text())
          .isEqualTo("took 15 ms status=200\ntook 25 ms status=204\n");
      assertThat(asked.get("/query?q=took&and=status%3D2&and=15").text())
          .isEqualTo("took 15 ms status=200\n");
      assertThat(asked.get("/stats?and=25&and=ms&invert=true&by=topic").text())
          .isEqualTo("topic\tcount\npay\t1\nshop\t1\n");
      assertThat(asked.get("/query?format=json&parsed=true&where=ms%3E20" + extract).text())
          .contains("\"fields\":{\"status\":\"204\",\"ms\":\"25\"}");
      assertThat(asked.get("/stats?by=a&extract=x").text())
          .startsWith("error: parameter extract: expected a group with a name, such as");
    }
  }

  @ParameterizedTest
  @CsvSource({"71, 1", "72, 2", "73, 3"})
  void everyNodeCountsWhatANaiveReaderCounts(long seed, int replicationFactor) throws IOException {
    List<List<Sample>> samples = samples(seed, 60);
    List<Sample> all = samples.stream().flatMap(List::stream).toList();
    try (var cluster = TestCluster.random(seed, replicationFactor, batches(samples))) {
      for (Node node : cluster.nodes) {
        Answer answer = node.get("/stats?by=level,user.id");
        List<String> lines = answer.text().lines().toList();
        assertThat(lines.getFirst()).isEqualTo("level\tuser.id\tcount");
        List<String> expected =
            counted(all, s -> column(s.value("level")) + "\t" + column(s.value("user.id")));
        assertThat(byKey(lines.subList(1, lines.size())))
            .as("seed %d, %s", seed, node.id)
            .isEqualTo(byKey(expected));
        assertThat(answer.field("verdict")).isEqualTo("complete");
        assertThat(answer.field("matches")).isEqualTo(all.size() + "");
        assertThat(answer.field("groups-cut")).isEqualTo("0");
      }
      Node node = cluster.nodes.getFirst();
      List<Sample> errors = all.stream().filter(s -> "error".equals(s.value("level"))).toList();
      Answer some = node.get("/stats?where=level%3Derror&by=status&top=1");
      assertThat(some.text().lines().skip(1).toList())
          .hasSize(1)
          .allMatch(counted(errors, s -> column(s.value("status")))::contains);
      assertThat(some.field("matches")).isEqualTo(errors.size() + "");
      assertThat(node.get("/stats").text()).isEqualTo("count\n" + all.size() + "\n");
      assertThat(ofLines(all)).isEqualTo(node.get("/stats?by=level,user.id&max=status").text());
    }
  }

  /** As records that no node holds are counted. */
  private static String ofLines(List<Sample> samples) throws IOException {
    List<Measured> measured = List.of(new Measured("max", "status"));
    var groups =
        new RecordGroups(
            RecordGroups.Wanted.of(List.of("level", "user.id"), measured), Extract.NONE);
    for (Sample sample : samples) {
      byte[] bytes = sample.text().getBytes(StandardCharsets.UTF_8);
      groups.add(bytes, 0, bytes.length, (byte) '\n');
    }
    var written = new ByteArrayOutputStream();
    groups.write(written);
    assertThat(groups.records()).isEqualTo(samples.size());
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void recordsAreCountedByTime() throws IOException {
    List<List<Sample>> samples = samples(74, 50);
    try (var cluster = TestCluster.random(74, 2, batches(samples))) {
      List<String> expected = new ArrayList<>();
      for (int from = 0; from < samples.size(); from += 10) {
        long count = samples.subList(from, from + 10).stream().mapToLong(List::size).sum();
        expected.add(Instant.ofEpochMilli(FIRST_MILLIS + 10L * from) + "\t" + count);
      }
      assertThat(cluster.nodes.getLast().get("/stats?every=100ms").text().lines().skip(1).toList())
          .isEqualTo(expected);
    }
  }

  private static List<Batch> numbers(double[] values) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < values.length; i += 50) {
      List<String> lines = new ArrayList<>();
      for (double value : Arrays.copyOfRange(values, i, Math.min(i + 50, values.length))) {
        lines.add("{\"path\":\"/\",\"dur\":\"" + value + "s\"}");
      }
      lines.add("{\"path\":\"/\",\"dur\":\"none\"}");
      batches.add(batch(FIRST_MILLIS + i, lines));
    }
    return batches;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 3000})
  void sumsAreExactAndPercentilesWithinAHundredth(int count) throws IOException {
    var random = new SplittableRandom(count);
    double[] values =
        random.doubles(count).map(x -> Math.round(1000 * Math.exp(6 * x)) / 1000.0).toArray();
    List<Batch> batches = numbers(values);
    try (var cluster = TestCluster.random(75, 2, batches)) {
      Node node = cluster.nodes.getLast();
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      double sum = Arrays.stream(values).sum();
      String[] sums = row(node, "/stats?by=path&sum=dur&avg=dur&min=dur&max=dur");
      assertThat(sums[0]).isEqualTo("/");
      assertThat(Integer.parseInt(sums[1])).isEqualTo(count + batches.size());
      double[] expected = {sum, sum / count, sorted[0], sorted[count - 1]};
      double[] error = {1e-9, 1e-5, 1e-9, 1e-9};
      String[] all = row(node, "/stats?by=path&sum=dur&avg=dur&min=dur&max=dur&p50=dur&p99=dur");
      for (int i = 0; i < expected.length; i++) {
        assertThat(Double.parseDouble(sums[2 + i])).isCloseTo(expected[i], within(error[i]));
        assertThat(Double.parseDouble(all[2 + i])).isCloseTo(expected[i], within(error[i]));
      }
      double median = sorted[(int) (0.5 * (count - 1))];
      double p99 = sorted[(int) (0.99 * (count - 1))];
      assertThat(Double.parseDouble(all[6])).isCloseTo(median, within(0.011));
      assertThat(Double.parseDouble(all[7])).isCloseTo(p99, within(0.011));
    }
  }

  private static String[] row(Node node, String path) throws IOException {
    List<String> lines = node.get(path).text().lines().toList();
    assertThat(lines).hasSize(2);
    return lines.get(1).split("\t", -1);
  }

  @Test
  void recordsBeyondTheMemoryOfGroupsAreCountedAndSaid() throws IOException {
    int records = 60_000;
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < records; i += 1000) {
      List<String> lines =
          IntStream.range(i, i + 1000).mapToObj(n -> "id=" + n + "-abcdefghi").toList();
      batches.add(batch(FIRST_MILLIS + i, lines));
    }
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.store("one", new SegmentFixture(1, 1, batches));
      Answer answer = node.get("/stats?by=id");
      long groups = answer.text().lines().count() - 1;
      assertThat(groups).isBetween(1000L, records - 1000L);
      assertThat(answer.field("groups-cut")).isEqualTo(records - groups + "");
      assertThat(answer.field("matches")).isEqualTo(records + "");
      assertThat(node.get("/stats?by=id&format=json").text())
          .contains("{\"others\":" + (records - groups) + "}");
      assertThat(node.meters.counter("cordwood.query.groups.cut").count())
          .isEqualTo(2.0 * (records - groups));
    }
  }

  @Test
  void differentValuesAreCountedOnceWhateverNodesHaveThem() throws IOException {
    List<List<Sample>> samples = samples(77, 60);
    List<Sample> all = samples.stream().flatMap(List::stream).toList();
    long expected =
        all.stream().map(s -> s.value("user.id")).filter(v -> v != null).distinct().count();
    try (var cluster = TestCluster.random(77, 2, batches(samples))) {
      for (Node node : cluster.nodes) {
        assertThat(node.get("/stats?distinct=user.id").text())
            .isEqualTo("count\tdistinct(user.id)\n" + all.size() + "\t" + expected + "\n");
      }
      assertThat(
              cluster.nodes.getFirst().get("/stats?by=level&distinct=topic").text().lines().skip(1))
          .isNotEmpty()
          .allMatch(line -> line.endsWith("\t1"));
    }
  }

  @Test
  void beyondABoundDifferentValuesAreEstimatedWithinTheErrorThatIsSaid() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 100_000; i += 1000) {
      batches.add(
          batch(
              FIRST_MILLIS + i,
              IntStream.range(i, i + 1000).mapToObj(n -> "a=1 id=" + n).toList()));
    }
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.store("one", new SegmentFixture(1, 1, batches));
      Answer one = node.get("/stats?distinct=id");
      assertThat(one.field("distinct-error")).isEqualTo("0.01625");
      assertThat(estimate(one)).isCloseTo(100_000, within(0.01625));
      Answer small = node.get("/stats?by=a&distinct=id");
      assertThat(small.field("distinct-error")).isEqualTo("0.0325");
      assertThat(estimate(small)).isCloseTo(100_000, within(0.0325));
      assertThat(node.get("/stats?distinct=id&format=json").text())
          .contains("{\"distinct_error\":0.01625}");
    }
  }

  @Test
  void aFewThousandDifferentValuesAreCountedExactly() throws IOException {
    List<String> lines =
        IntStream.range(0, 60_000)
            .mapToObj(n -> "g=" + n / 1500 + " id=" + n + " few=" + n % 3)
            .toList();
    try (var cluster = new TestCluster(1)) {
      Node node =
          cluster.store("one", new SegmentFixture(1, 1, List.of(batch(FIRST_MILLIS, lines))));
      Answer groups = node.get("/stats?by=g&distinct=id");
      assertThat(groups.field("distinct-error")).isNull();
      assertThat(groups.text().lines().skip(1))
          .hasSize(40)
          .allMatch(line -> line.endsWith("\t1500\t1500"));
      assertThat(node.get("/fields").text())
          .contains("g\t60000\t100\tnumber\t40\t", "\tnumber\t60000\t");
    }
  }

  @Test
  void groupsThatFindNoRoomForExactNumbersEstimateThem() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String group = "g=" + i + " id=" + i + "-";
      batches.add(
          batch(FIRST_MILLIS + i, IntStream.range(0, 1500).mapToObj(n -> group + n).toList()));
    }
    try (var cluster = new TestCluster(1)) {
      Node node = cluster.store("one", new SegmentFixture(1, 1, batches));
      List<String> groups = node.get("/stats?by=g&distinct=id").text().lines().skip(1).toList();
      assertThat(groups).hasSize(200);
      assertThat(groups.stream().filter(line -> line.endsWith("\t1500\t1500")).count())
          .isBetween(101L, 160L);
      assertThat(groups.stream().filter(line -> line.contains("\t1500\t~")).count())
          .isBetween(40L, 99L);
    }
  }

  private static double estimate(Answer answer) {
    String line = answer.text().lines().toList().get(1);
    return Double.parseDouble(line.substring(line.indexOf('~') + 1));
  }

  @Test
  void aRateIsPerSecondAndAPercentageOfAllOfTheSameTime() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Batch first = batch(FIRST_MILLIS, List.of("a=1", "a=1", "a=1", "a=2"));
      Batch second = batch(FIRST_MILLIS + 10_000, List.of("a=1"));
      Node node = cluster.store("one", new SegmentFixture(1, 1, List.of(first, second)));
      String range = "&from=" + FIRST_MILLIS + "&to=" + (FIRST_MILLIS + 20_000);
      assertThat(node.get("/stats?by=a&rate=true&percent=true" + range).text())
          .isEqualTo("a\tcount\trate\tpercent\n1\t4\t0.2\t80\n2\t1\t0.05\t20\n");
      assertThat(node.get("/stats?by=a&rate=true&percent=true&every=10s").text())
          .isEqualTo(
              """
              time\ta\tcount\trate\tpercent
              2023-11-14T22:13:20Z\t1\t3\t0.3\t75
              2023-11-14T22:13:20Z\t2\t1\t0.1\t25
              2023-11-14T22:13:30Z\t1\t1\t0.1\t100
              """);
    }
  }

  @Test
  void withoutANodeThatDiedTheRestIsCountedAndNotCalledAll() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store("one", new SegmentFixture(1, 1, List.of(batch(FIRST_MILLIS, List.of("a=1")))));
      Node two =
          cluster.store(
              "two", new SegmentFixture(1, 1, List.of(batch(FIRST_MILLIS + 1, List.of("a=1")))));
      Node asked = cluster.query("asked");
      assertThat(asked.get("/stats?by=a").text()).isEqualTo("a\tcount\n1\t2\n");
      two.close();
      Answer answer = asked.get("/stats?by=a");
      assertThat(answer.text()).isEqualTo("a\tcount\n1\t1\n");
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "by=a,,b | parameter by: expected a field of 1 to 256 bytes, found 0",
        "by=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q | expected at most 16 fields, found 17",
        "top=0 | parameter top: expected a number from 1 to 2147483647, found 0",
        "top=3&every=1m | expected one of every and top, found both",
        "format=xml | parameter format: expected text, json or csv, found \"xml\"",
        "sort=p99&p90=a | expected one of count, p90(a), found \"p99\"",
        "rate=true | parameter rate: expected every or from as well, found neither",
        "limit=3 | parameter limit: /stats has none",
      })
  void whatIsNotMeantIsRefused(String parameters, String message) throws IOException {
    try (var cluster = new TestCluster(1)) {
      Answer answer = cluster.query("asked").get("/stats?" + parameters);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains(message);
    }
  }
}

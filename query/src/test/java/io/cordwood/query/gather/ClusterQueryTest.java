package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every node of a cluster gives what a naive search over all records gives. */
final class ClusterQueryTest {
  private static final List<String> NEEDLES =
      List.of("", "line", "line 5", "of some service", "\tat ", "no such thing", "200\r");

  private static List<Expected> records(long seed, List<Batch> batches) throws IOException {
    return new SegmentFixture(seed, 1, batches).records();
  }

  private static Predicate<Expected> contains(String needle) {
    return r -> new String(r.bytes(), StandardCharsets.ISO_8859_1).contains(needle);
  }

  private static String q(String pattern) {
    return "/query?q=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 2"})
  void everyNodeFindsWhatANaiveSearchFinds(long seed, int replicationFactor) throws IOException {
    List<Batch> batches = SegmentFixture.batches(seed, 150);
    List<Expected> all = records(seed, batches);
    var random = new SplittableRandom(seed);
    try (var cluster = TestCluster.random(seed, replicationFactor, batches)) {
      for (Node node : cluster.nodes) {
        String needle = NEEDLES.get(random.nextInt(NEEDLES.size()));
        boolean invert = random.nextInt(4) == 0;
        int from = random.nextInt(all.size());
        int to = random.nextBoolean() ? all.size() - 1 : from + random.nextInt(all.size() - from);
        String range = "&from=%s&to=%s".formatted(all.get(from).ulid(), all.get(to).ulid());
        var wanted = invert ? contains(needle).negate() : contains(needle);
        List<Expected> expected = all.subList(from, to + 1).stream().filter(wanted).toList();
        String what = "seed %d, %s, \"%s\", invert %s".formatted(seed, node.id, needle, invert);
        check(node, q(needle) + "&invert=" + invert + range, expected, random, what);
        check(node, q(""), all, random, what);
      }
    }
  }

  private static void check(
      Node node, String path, List<Expected> expected, SplittableRandom random, String what)
      throws IOException {
    Answer whole = node.get(path);
    assertThat(whole.body()).as(what).isEqualTo(SegmentFixture.text(expected));
    assertThat(whole.field("verdict")).as(what).isEqualTo("complete");
    assertThat(whole.field("matches")).as(what).isEqualTo(expected.size() + "");
    assertThat(node.get(path + "&count=true").text()).as(what).isEqualTo(expected.size() + "\n");
    int number = 1 + random.nextInt(2 * expected.size() + 1);
    int count = Math.min(number, expected.size());
    Answer limited = node.get(path + "&limit=" + number);
    assertThat(limited.body())
        .as("%s: %s, missing %s", what, limited.field("verdict"), limited.field("missing"))
        .isEqualTo(SegmentFixture.text(expected.subList(0, count)));
    Answer last = node.get(path + "&last=" + number);
    assertThat(last.body())
        .as("%s: %s, missing %s", what, last.field("verdict"), last.field("missing"))
        .isEqualTo(SegmentFixture.text(expected.subList(expected.size() - count, expected.size())));
    assertThat(node.get(path + "&count=true&limit=" + number).text())
        .as(what)
        .isEqualTo(count + "\n");
    assertThat(node.get(path + "&format=ulid&limit=" + number).body())
        .as(what)
        .isEqualTo(withUlids(expected.subList(0, count)));
  }

  private static byte[] withUlids(List<Expected> records) {
    var out = new ByteArrayOutputStream();
    for (Expected record : records) {
      String text = new String(record.bytes(), StandardCharsets.ISO_8859_1);
      for (String line : text.split("\n", -1)) {
        out.writeBytes((record.ulid() + " " + line + "\n").getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return out.toByteArray();
  }

  @Test
  void patternsWordsAndPartsAreTheSameAtEveryNode() throws IOException {
    List<Batch> batches = SegmentFixture.batches(11, 80);
    List<Expected> all = records(11, batches);
    List<Expected> expected =
        all.stream().filter(contains("line 15 ").or(contains("line 7 "))).toList();
    assertThat(expected).isNotEmpty();
    try (var cluster = TestCluster.random(11, 2, batches)) {
      for (Node node : cluster.nodes) {
        String path = q("line 15 ") + "&q=line+7+";
        assertThat(node.get(path).body()).isEqualTo(SegmentFixture.text(expected));
        assertThat(node.get(q("ine 15") + "&word=true").body()).isEmpty();
        assertThat(node.get(q("line 15") + "&whole=true").body()).isEmpty();
        assertThat(node.get(path + "&only_matching=true").text().lines())
            .hasSizeGreaterThanOrEqualTo(expected.size())
            .allMatch(part -> part.equals("line 15 ") || part.equals("line 7 "));
      }
    }
  }

  @Test
  void topicsAndAThousandPatternsInAFormAreTheSameAtEveryNode() throws IOException {
    List<Batch> batches = SegmentFixture.batches(12, 80);
    var form = new StringBuilder("topic=web-*,default");
    for (int i = 0; i < 999; i++) {
      form.append("&q=no+such+line+as+").append(i);
    }
    form.append("&q=line+5");
    List<Expected> expected =
        records(12, batches).stream()
            .filter(contains("line 5"))
            .filter(r -> !r.topic().name().equals("billing"))
            .toList();
    assertThat(expected).isNotEmpty();
    try (var cluster = TestCluster.random(12, 2, batches)) {
      for (Node node : cluster.nodes) {
        Answer answer = node.post("/query", form.toString());
        assertThat(answer.body()).isEqualTo(SegmentFixture.text(expected));
        assertThat(answer.field("verdict")).isEqualTo("complete");
      }
    }
  }

  @Test
  void pagesOfAnyNodeHoldEveryRecordOnce() throws IOException {
    List<Batch> batches = SegmentFixture.batches(7, 120);
    List<Expected> all = records(7, batches);
    try (var cluster = TestCluster.random(7, 2, batches)) {
      List<String> read = new ArrayList<>();
      String after = "";
      int asked = 0;
      boolean more = true;
      while (more) {
        Node node = cluster.nodes.get(asked++ % cluster.nodes.size());
        Answer page = node.get("/read?format=json&limit=173" + after);
        List<String> lines = new ArrayList<>(page.text().lines().toList());
        assertThat(lines.removeLast()).startsWith("{\"verdict\":\"complete\"");
        lines.forEach(line -> read.add(line.substring(9, 35)));
        after = "&from_ulid=" + page.field("next-ulid");
        more = lines.size() == 173;
      }
      assertThat(read).isEqualTo(all.stream().map(r -> r.ulid().toString()).toList());
    }
  }

  @Test
  void askedForItselfANodeGivesItsOwn() throws IOException {
    List<Batch> batches = SegmentFixture.batches(8, 60);
    try (var cluster = TestCluster.random(8, 1, batches)) {
      for (Node node : cluster.nodes) {
        int own = 0;
        if (node.records.all().isPresent()) {
          Answer answer = node.get("/query?here=true&format=json");
          own = answer.text().lines().toList().size() - 1;
          assertThat(own).isPositive();
        }
        assertThat(node.get("/query?here=true&count=true").text()).isEqualTo(own + "\n");
        assertThat(own).isLessThan(records(8, batches).size());
      }
    }
  }

  @Test
  void headTellsWhatAllNodesWouldRead() throws IOException {
    List<Batch> batches = SegmentFixture.batches(9, 60);
    try (var cluster = TestCluster.random(9, 1, batches)) {
      int segments = 0;
      for (Node node : cluster.nodes) {
        Answer own = node.ask("HEAD", "/query?here=true");
        segments += Integer.parseInt(String.valueOf(own.field("segments")));
      }
      for (Node node : cluster.nodes) {
        Answer all = node.ask("HEAD", "/query?q=line");
        assertThat(all.field("segments")).isEqualTo(segments + "");
        assertThat(all.field("blocks-read")).isEqualTo("0");
        assertThat(all.field("verdict")).isEqualTo("complete");
      }
    }
  }
}

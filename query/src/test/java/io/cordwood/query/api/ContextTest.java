package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.GatedSource;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every node gives the context of matches that a naive search finds. */
final class ContextTest {
  private static String text(Expected record) {
    return new String(record.bytes(), StandardCharsets.ISO_8859_1);
  }

  private static String stream(Expected record) {
    Ulid ulid = record.ulid();
    return record.topic() + " " + (ulid.high() & 0xFFFF) + " " + (ulid.low() >>> 32);
  }

  /** All that should be given, with whether it is context, and which of it are neighbours. */
  private record Naive(Map<String, Boolean> contextByUlid, Map<String, String> next) {
    static Naive of(List<Expected> all, List<Expected> matches, int before, int after) {
      Map<String, TreeMap<Long, Expected>> streams = new HashMap<>();
      all.forEach(r ->
          streams
              .computeIfAbsent(stream(r), _ -> new TreeMap<>())
              .put(r.ulid().low() & 0xFFFFFFFFL, r));
      Map<String, Boolean> given = new HashMap<>();
      for (Expected match : matches) {
        long counter = match.ulid().low() & 0xFFFFFFFFL;
        Objects.requireNonNull(streams.get(stream(match)))
            .subMap(counter - before, true, counter + after, true)
            .values()
            .forEach(r -> given.putIfAbsent(r.ulid().toString(), true));
        given.put(match.ulid().toString(), false);
      }
      Map<String, String> next = new HashMap<>();
      for (TreeMap<Long, Expected> stream : streams.values()) {
        stream.forEach((counter, record) -> {
          Map.Entry<Long, Expected> other = stream.higherEntry(counter);
          if (other != null) {
            next.put(record.ulid().toString(), other.getValue().ulid().toString());
          }
        });
      }
      return new Naive(given, next);
    }
  }

  @ParameterizedTest
  @CsvSource({"51, 1, 2, 3", "52, 2, 0, 1", "53, 2, 5, 0", "54, 3, 40, 40"})
  void everyNodeGivesWhatANaiveSearchFinds(long seed, int copies, int before, int after)
      throws IOException {
    List<Batch> batches = SegmentFixture.batches(seed, 150);
    List<Expected> all = new SegmentFixture(seed, 1, batches).records();
    Map<String, Expected> byUlid = new HashMap<>();
    all.forEach(r -> byUlid.put(r.ulid().toString(), r));
    var random = new SplittableRandom(seed);
    try (var cluster = TestCluster.random(seed, copies, batches)) {
      for (Node node : cluster.nodes) {
        String needle = List.of("line 5", "\tat ", "7", "line 1234").get(random.nextInt(4));
        int from = random.nextInt(all.size());
        String path =
            "/query?format=ulid&before=%d&after=%d&from=%s&q=%s"
                .formatted(
                    before,
                    after,
                    all.get(from).ulid(),
                    URLEncoder.encode(needle, StandardCharsets.UTF_8));
        List<Expected> matches =
            all.subList(from, all.size()).stream().filter(r -> text(r).contains(needle)).toList();
        String what = "seed %d, %s, %s".formatted(seed, node.id, path);
        Answer answer = node.get(path);
        assertThat(answer.field("verdict"))
            .as("%s, missing %s", what, answer.field("missing"))
            .isEqualTo("complete");
        assertThat(answer.field("matches")).as(what).isEqualTo(matches.size() + "");
        assertThat(answer.field("context-cut")).as(what).isEqualTo("0");
        check(answer, Naive.of(all, matches, before, after), byUlid, what);
      }
    }
  }

  /** Records once and as they are, groups that are whole, in the order of their first matches. */
  private static void check(Answer answer, Naive naive, Map<String, Expected> byUlid, String what) {
    Set<String> seen = new HashSet<>();
    String last = "";
    String lastFirst = "";
    boolean sought = true;
    var body = new String(answer.body(), StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>(List.of(body.split("\n", -1)));
    lines.removeLast();
    for (int i = 0; i < lines.size(); ) {
      if (lines.get(i).equals("--")) {
        assertThat(follows(byUlid.get(last), byUlid.get(ulid(lines.get(i + 1)))))
            .as(what)
            .isFalse();
        last = "";
        sought = true;
        i++;
        continue;
      }
      String ulid = ulid(lines.get(i));
      boolean context = lines.get(i).charAt(26) == '-';
      if (!last.isEmpty()) {
        assertThat(ulid).as(what).isEqualTo(naive.next().get(last));
      }
      assertThat(seen.add(ulid)).as(what + ": once " + ulid).isTrue();
      assertThat(context).as(what + " " + ulid).isEqualTo(naive.contextByUlid().get(ulid));
      for (String line : text(Objects.requireNonNull(byUlid.get(ulid))).split("\n", -1)) {
        assertThat(lines.get(i++)).as(what).isEqualTo(ulid + (context ? "-" : " ") + line);
      }
      if (!context && sought) {
        assertThat(ulid).as(what).isGreaterThan(lastFirst);
        lastFirst = ulid;
        sought = false;
      }
      last = ulid;
    }
    assertThat(seen).as(what).isEqualTo(naive.contextByUlid().keySet());
  }

  /** Whether a record is the next of the same stream, so that nothing may part them. */
  private static boolean follows(@Nullable Expected record, @Nullable Expected next) {
    return record != null
        && next != null
        && stream(record).equals(stream(next))
        && record.ulid().low() + 1 == next.ulid().low();
  }

  private static String ulid(String line) {
    return line.substring(0, 26);
  }

  /** One sender's lines, a second apart, each in a batch of its own on the next of three stores. */
  private static TestCluster dispersed(int lines, long secondsApart) throws IOException {
    List<List<Batch>> stores = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < lines; i++) {
      long high = (1_700_000_000_000L + 1000 * secondsApart * i) << 16 | 7;
      Ulid ulid = new Ulid(high, 7L << 32 | i);
      stores.get(i % 3).add(Records.lines(ulid, "line " + i));
    }
    var cluster = new TestCluster(1);
    for (int i = 0; i < 3; i++) {
      cluster.store("store-" + i, new SegmentFixture(i, 2, stores.get(i)));
    }
    return cluster;
  }

  @Test
  void contextIsFoundOnOtherNodesAndFarAwayInTime() throws IOException {
    try (var cluster = dispersed(40, 60)) {
      Node asked = cluster.query("asked");
      assertThat(asked.get("/query?q=line+20&before=2&after=1").text())
          .isEqualTo("line 18\nline 19\nline 20\nline 21\n");
      assertThat(asked.get("/query?q=line+0&before=9&after=1").text())
          .isEqualTo("line 0\nline 1\n");
      assertThat(asked.get("/query?q=line+20&before=20").text().lines().findFirst())
          .as("ten minutes away at most")
          .hasValue("line 10");
    }
  }

  @Test
  void groupsMeetAndPartAsThoseOfGrep() throws IOException {
    try (var cluster = dispersed(40, 1)) {
      Node asked = cluster.query("asked");
      assertThat(asked.get("/query?q=line+5&q=line+8&q=line+12&before=1&after=1").text())
          .isEqualTo(
              "line 4\nline 5\nline 6\nline 7\nline 8\nline 9\n--\nline 11\nline 12\nline 13\n");
      assertThat(asked.get("/query?q=line+2&limit=1&after=3").text())
          .as("what follows the last one that is wanted is context, though it would match")
          .isEqualTo("line 2\nline 3\nline 4\nline 5\n");
      assertThat(asked.get("/query?q=line+3&last=1&before=1&after=3").text())
          .isEqualTo("line 38\nline 39\n");
      assertThat(asked.get("/query?q=line+1&invert=true&to=2001-01-01&before=1").text()).isEmpty();
    }
  }

  @Test
  void jsonTellsGroupsAndContext() throws IOException {
    try (var cluster = dispersed(12, 1)) {
      String answer =
          cluster.query("asked").get("/query?format=json&q=line+2&q=line+9&before=1").text();
      assertThat(answer.lines().map(line -> line.replaceFirst(".*\"record\"", "\"record\"")))
          .startsWith(
              "\"record\":\"line 1\",\"group\":1,\"context\":true}",
              "\"record\":\"line 2\",\"group\":1,\"context\":false}",
              "\"record\":\"line 8\",\"group\":2,\"context\":true}",
              "\"record\":\"line 9\",\"group\":2,\"context\":false}");
    }
  }

  /** More matches than a window has. */
  @Test
  void aGroupGoesOnFromWindowToWindow() throws IOException {
    try (var cluster = dispersed(700, 1)) {
      String answer = cluster.query("asked").get("/query?q=line&before=1&after=1").text();
      assertThat(answer.lines()).hasSize(700).doesNotContain("--");
    }
  }

  @Test
  void tooMuchIsRefused() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Node asked = cluster.query("asked");
      assertThat(asked.get("/query?before=1001").text())
          .contains("parameter before: expected a number from 0 to 1000, found 1001");
      assertThat(asked.get("/query?after=-1").status()).isEqualTo(400);
      assertThat(asked.get("/query?after=1&only_matching=true").text())
          .contains("expected one of only_matching and context");
      assertThat(asked.get("/stream?after=1").text())
          .contains("parameter after: /stream has none; it has q, ");
    }
  }

  @Test
  void aTimeLimitThatIsNotReachedChangesNothing() throws IOException {
    try (var cluster = dispersed(40, 1)) {
      Node asked = cluster.query("asked");
      assertThat(asked.get("/query?q=line+20&before=1&time_limit=1m").text())
          .isEqualTo("line 19\nline 20\n");
    }
  }

  @Test
  void aTimeLimitHoldsForContextToo() throws IOException {
    var source = new GatedSource(3);
    try (var cluster = new TestCluster(1)) {
      cluster.store("store", source);
      Node asked = cluster.query("asked");
      String path = "/query?topic=large&q=record+1&before=1&time_limit=";
      try {
        Answer late = asked.get(path + "500ms");
        assertThat(late.status()).isEqualTo(200);
        assertThat(late.field("verdict")).isEqualTo("possibly-incomplete");
      } finally {
        source.letAll();
      }
      Answer inTime = asked.get(path + "1m");
      assertThat(inTime.text()).isEqualTo("record 1\n");
      assertThat(inTime.field("verdict")).isEqualTo("complete");
    }
  }
}

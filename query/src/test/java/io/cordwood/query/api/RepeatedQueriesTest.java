package io.cordwood.query.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.LoneNode;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SlowFilters;
import io.cordwood.query.scan.QueryCaches;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Patterns asked again, of a node that remembers where it found nothing, and of one that does not.
 */
final class RepeatedQueriesTest {
  private static final QueryCaches MISSES = new QueryCaches(0, 1 << 20);

  /** Most are in some blocks only; filters help with the longer ones. */
  private static final List<String> PATTERNS =
      List.of(
          "line 5",
          "777",
          "4321",
          "\\tat",
          "xyz",
          "q",
          "[0-9]{5}",
          "e 12",
          "(777)*",
          "line 77 of",
          "line (1|2)1 of",
          "no line");

  private static final List<String> FORMS =
      List.of(
          "",
          "&count=true",
          "&format=json",
          "&format=ulid",
          "&only_matching=true",
          "&invert=true",
          "&invert=true&count=true",
          "&ignore_case=true",
          "&word=true",
          "&last=3",
          "&limit=2",
          "&before=1&after=1",
          "&topic=billing");

  private static final List<String> COUNTS =
      List.of(
          "/histogram?buckets=7&levels=true",
          "/histogram?bucket=1h&levels=true",
          "/histogram?buckets=4&by=line",
          "/stats?by=level,topic",
          "/stats?by=topic&distinct=message",
          "/stats?by=shape&p90=line&example=true",
          "/fields?top=5");

  private static final List<String> COUNTED =
      List.of("", "&q=777", "&q=line+5", "&q=777&invert=true", "&q=nono", "&topic=billing");

  /** Before all records. */
  private static final String FIRST = "0".repeat(26);

  private static LoneNode alone(SegmentSource source, QueryCaches caches) throws IOException {
    return new LoneNode(source, caches, InstantSource.system());
  }

  private static Answer get(LoneNode node, String parameters) throws IOException {
    return node.get("/query?" + parameters);
  }

  private static double skipped(LoneNode node) {
    return node.count("cordwood.query.misses.blocks");
  }

  private static double counted(LoneNode node) {
    return node.count("cordwood.query.tallies.blocks");
  }

  private static double searchedHot(LoneNode node) {
    return node.count("cordwood.query.hot.blocks");
  }

  private static double heldBytes(LoneNode node) {
    return node.gauge("cordwood.query.misses.bytes");
  }

  private static String ulid(SegmentFixture fixture, SplittableRandom random) {
    return fixture.records().get(random.nextInt(fixture.records().size())).ulid().toString();
  }

  /** How matches with their context are grouped depends on how soon they are found. */
  private static String text(Answer answer, String query) {
    return query.contains("&before=")
        ? answer.text().lines().filter(line -> !line.equals("--")).sorted().collect(joining("\n"))
        : answer.text();
  }

  @ParameterizedTest
  @ValueSource(longs = {61, 62, 63})
  void everyAnswerIsTheSameAsWithoutMemory(long seed) throws IOException {
    var fixture = new SegmentFixture(seed, 7, 100);
    var random = new SplittableRandom(seed);
    try (var remembers = alone(fixture, new QueryCaches(8 << 20, 1 << 20));
        var forgets = alone(fixture, QueryCaches.NONE)) {
      for (int i = 0; i < 100; i++) {
        String query =
            "regex=true&q="
                + URLEncoder.encode(PATTERNS.get(random.nextInt(PATTERNS.size())), UTF_8)
                + FORMS.get(random.nextInt(FORMS.size()))
                + (random.nextBoolean() ? "&from=" + ulid(fixture, random) : "")
                + (random.nextInt(4) == 0 ? "&to=" + ulid(fixture, random) : "");
        Answer expected = get(forgets, query);
        Answer found = get(remembers, query);
        assertThat(text(found, query)).as(query).isEqualTo(text(expected, query));
        assertThat(found.field("verdict")).as(query).isEqualTo(expected.field("verdict"));
        assertThat(found.field("matches")).as(query).isEqualTo(expected.field("matches"));
      }
      assertThat(skipped(remembers)).isPositive();
      assertThat(searchedHot(remembers)).isPositive();
      assertThat(skipped(forgets)).isZero();
      assertThat(heldBytes(forgets)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {67, 68, 69})
  void everyCountIsTheSameAsWithoutMemory(long seed) throws IOException {
    var fixture = new SegmentFixture(seed, 7, 100);
    var random = new SplittableRandom(seed);
    try (var remembers = alone(fixture, new QueryCaches(8 << 20, 1 << 20));
        var forgets = alone(fixture, QueryCaches.NONE)) {
      for (int i = 0; i < 150; i++) {
        String query =
            COUNTS.get(random.nextInt(COUNTS.size()))
                + COUNTED.get(random.nextInt(COUNTED.size()))
                + "&from="
                + (random.nextBoolean() ? ulid(fixture, random) : FIRST)
                + (random.nextInt(4) == 0 ? "&to=" + ulid(fixture, random) : "");
        Answer expected = forgets.get(query);
        Answer found = remembers.get(query);
        assertThat(found.text()).as(query).isEqualTo(expected.text());
        assertThat(found.field("verdict")).as(query).isEqualTo(expected.field("verdict"));
      }
      assertThat(counted(remembers)).isPositive();
      assertThat(counted(forgets)).isZero();
      assertThat(forgets.gauge("cordwood.query.tallies.bytes")).isZero();
    }
  }

  /** A count that does not fit whole still finds what there was room for. */
  @Test
  void memoryOfCountsHasABound() throws IOException {
    long room = 20_000;
    try (var node = alone(new SegmentFixture(65, 7, 100), new QueryCaches(0, room))) {
      for (int i = 0; i < 30; i++) {
        node.get("/histogram?buckets=3&levels=true&q=" + i);
        assertThat(node.gauge("cordwood.query.tallies.bytes")).isBetween(1.0, (double) room);
      }
      double before = counted(node);
      node.get("/histogram?buckets=3&levels=true&q=29");
      assertThat(counted(node)).isGreaterThan(before);
    }
  }

  @Test
  void whatHeldNothingIsNotReadAgain() throws IOException {
    try (var node = alone(new SegmentFixture(64, 7, 100), MISSES)) {
      long read = Long.parseLong(get(node, "q=nono").field("blocks-read"));
      long again = Long.parseLong(get(node, "q=nono&count=true").field("blocks-read"));
      assertThat(skipped(node)).isPositive().isEqualTo(read - again);
      assertThat(get(node, "q=nono&invert=true").field("blocks-read")).isEqualTo(read + "");
    }
  }

  @Test
  void filtersAreNotReadAgain() throws IOException {
    var filtersRead = new AtomicInteger();
    try (SegmentSource.View real = new SegmentFixture(66, 7, 300).view(UlidRange.ALL)) {
      SegmentSource.View view = SlowFilters.of(real.segments(), filtersRead::incrementAndGet);
      long changing = view.segments().stream().filter(s -> !s.totals().isPacked()).count();
      try (var node = alone(_ -> view, MISSES)) {
        String lines = get(node, "q=line+77+of").text();
        assertThat(filtersRead.getAndSet(0)).isEqualTo(view.segments().size());
        assertThat(get(node, "q=line+77+of").text()).isEqualTo(lines).isNotEmpty();
        assertThat(filtersRead.getAndSet(0))
            .as("of what ingest nodes hold only")
            .isEqualTo((int) changing);
        get(node, "q=line+77+of&invert=true");
        assertThat(filtersRead).hasValue(view.segments().size());
      }
    }
  }

  @Test
  void memoryHasABound() throws IOException {
    long room = 4_000;
    try (var node = alone(new SegmentFixture(65, 7, 100), new QueryCaches(0, room))) {
      for (int i = 0; i < 50; i++) {
        get(node, "q=no" + i);
        assertThat(heldBytes(node)).isLessThanOrEqualTo(room);
      }
      assertThat(heldBytes(node)).isGreaterThan(room / 2.0);
      get(node, "q=no49");
      assertThat(skipped(node)).as("the last pattern is remembered").isPositive();
      double before = skipped(node);
      get(node, "q=no0");
      assertThat(skipped(node)).as("the first one is forgotten").isEqualTo(before);
    }
  }
}

package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.LoneNode;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records read page by page over HTTP, against the same records in memory. */
final class ReadApiTest {
  private static final Ulid UNKNOWN = Ulid.firstOf(1_800_000_000_000L);

  private static final Shifting SOURCE = new Shifting();
  private static LoneNode node;

  /** A node whose segments are others at each look, and whose clock stands still. */
  private static final class Shifting implements SegmentSource {
    private SegmentFixture now = fixture(42);
    private Optional<Instant> time = Optional.empty();

    @Override
    public View view(UlidRange range) {
      return now.view(range);
    }

    @Override
    public Optional<Instant> stampTime() {
      return time;
    }
  }

  private static SegmentFixture fixture(long seed) {
    try {
      return new SegmentFixture(seed, 9, 200);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeAll
  static void start() throws IOException {
    node = new LoneNode(SOURCE);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Answer get(String parameters) throws IOException {
    return node.get("/read?" + parameters);
  }

  private static @Nullable String next(Answer page) {
    return page.field("next-ulid");
  }

  private static @Nullable String settled(Answer page) {
    return page.field("settled-ulid");
  }

  private record Read(String ulid, String bytes) {}

  /** Puts together what has the same ULID before it, as a reader of this form would. */
  private static List<Read> records(Answer answer) {
    List<Read> records = new ArrayList<>();
    String body = new String(answer.body(), StandardCharsets.ISO_8859_1);
    for (int from = 0; from < body.length(); ) {
      int end = body.indexOf('\n', from);
      String ulid = body.substring(from, from + Ulid.CHARS);
      String line = body.substring(from + Ulid.CHARS + 1, end);
      if (!records.isEmpty() && records.getLast().ulid().equals(ulid)) {
        line = records.removeLast().bytes() + "\n" + line;
      }
      records.add(new Read(ulid, line));
      from = end + 1;
    }
    return records;
  }

  private static List<Read> expected(Predicate<Expected> wanted) {
    return SOURCE.now.records().stream()
        .filter(wanted)
        .map(r -> new Read(r.ulid().toString(), new String(r.bytes(), StandardCharsets.ISO_8859_1)))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void pagesGiveEachRecordOnceInOrderWhileBatchesMoveBetweenSegments(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    SOURCE.now = fixture(seed);
    List<Read> expected = expected(_ -> true);
    List<Read> read = new ArrayList<>();
    String position = "";
    while (true) {
      SOURCE.now = SOURCE.now.splitAnew(random.nextLong(), 1 + random.nextInt(12));
      int limit = 1 + random.nextInt(random.nextBoolean() ? 10 : 500);
      Answer page = get("limit=" + limit + position);
      List<Read> records = records(page);
      assertThat(records).hasSizeLessThanOrEqualTo(limit);
      if (records.isEmpty()) {
        break;
      }
      assertThat(next(page)).isEqualTo(records.getLast().ulid());
      read.addAll(records);
      position = "&from_ulid=" + next(page);
    }
    assertThat(read).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void readingGoesOnBehindAnyRecord() throws IOException {
    List<Read> all = expected(_ -> true);
    for (int i = 0; i < all.size(); i += 97) {
      List<Read> rest = records(get("from_ulid=" + all.get(i).ulid()));
      assertThat(rest).isEqualTo(all.subList(i + 1, all.size()));
    }
  }

  @Test
  void topicsAreChosenByName() throws IOException {
    assertThat(records(get("topic=billing")))
        .isEqualTo(expected(r -> r.topic().name().equals("billing")));
  }

  @Test
  void nothingBehindAPositionLeavesThePositionWhereItIs() throws IOException {
    for (String parameters : List.of("", "&topic=nobody", "&limit=1", "&format=text")) {
      Answer answer = get("from_ulid=" + UNKNOWN + parameters);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
      assertThat(next(answer)).isEqualTo(UNKNOWN.toString());
    }
    assertThat(get("from_ulid=" + Ulid.MAX).body()).isEmpty();
    assertThat(next(get("topic=nobody"))).isEqualTo(Ulid.MIN.toString());
  }

  @Test
  void aHugeLimitIsNoLimit() throws IOException {
    assertThat(records(get("limit=" + Long.MAX_VALUE))).isEqualTo(expected(_ -> true));
  }

  @Test
  void textIsTheRecordsAlone() throws IOException {
    var expected = new ByteArrayOutputStream();
    SOURCE
        .now
        .records()
        .forEach(r -> {
          expected.writeBytes(r.bytes());
          expected.write('\n');
        });
    Answer answer = get("format=text");
    assertThat(answer.body()).isEqualTo(expected.toByteArray());
    assertThat(next(answer)).isEqualTo(SOURCE.now.records().getLast().ulid().toString());
  }

  @Test
  void jsonEndsWithThePositions() throws IOException {
    itIs(UNKNOWN.time());
    Ulid third = SOURCE.now.records().get(2).ulid();
    List<String> lines = get("format=json&limit=3&late_window=0s").text().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.subList(0, 3)).allMatch(line -> line.startsWith("{\"ulid\":\""));
    assertThat(lines.getLast())
        .isEqualTo(
            "{\"verdict\":\"complete\",\"matches\":3,\"next_ulid\":\"%s\",\"settled_ulid\":\"%s\"}"
                .formatted(third, third));
    SOURCE.time = Optional.empty();
    assertThat(get("format=json&limit=3").text())
        .endsWith(
            "\n{\"verdict\":\"complete\",\"matches\":3,\"next_ulid\":\"%s\"}\n".formatted(third));
  }

  private static void itIs(Instant time) {
    SOURCE.time = Optional.of(time);
  }

  @Test
  void whatIsYoungerThanTheLateWindowIsNotSettled() throws IOException {
    Ulid middle = SOURCE.now.records().get(SOURCE.now.records().size() / 2).ulid();
    itIs(middle.time().plusMillis(30_001));
    Ulid settled = Ulid.lastOf(middle.millis());

    Answer all = get("late_window=30s");
    assertThat(settled(all)).isEqualTo(settled.toString());
    assertThat(next(all)).isEqualTo(SOURCE.now.records().getLast().ulid().toString());
    assertThat(settled(get(""))).isEqualTo(Ulid.lastOf(middle.millis() + 20_000).toString());

    Answer settledOnly = get("late_window=30s&settled=true");
    assertThat(records(settledOnly)).isEqualTo(expected(r -> !r.ulid().isAfter(settled)));
    Answer rest = get("from_ulid=" + settled(settledOnly));
    assertThat(records(rest)).isEqualTo(expected(r -> r.ulid().isAfter(settled)));
    assertThat(get("late_window=30s&settled=true&from_ulid=" + next(all)).body()).isEmpty();
    SOURCE.time = Optional.empty();
  }

  @Test
  void aPageThatIsFullIsSettledNoFurtherThanItsEnd() throws IOException {
    itIs(UNKNOWN.time());
    Answer page = get("limit=5");
    assertThat(settled(page)).isEqualTo(next(page));
    SOURCE.time = Optional.empty();
  }

  @Test
  void aNodeThatReceivesNothingDoesNotSayWhatIsSettled() throws IOException {
    assertThat(settled(get("limit=5"))).isNull();
    Answer refused = get("settled=true");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text()).startsWith("error: nothing is settled: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from_ulid=x | parameter from_ulid: expected a ULID of 26 characters",
        "from_ulid= | parameter from_ulid: expected a ULID of 26 characters",
        "from_ulid=2026-01-31T12:00:00Z | parameter from_ulid: expected a ULID",
        "from_ulid=8ZZZZZZZZZZZZZZZZZZZZZZZZZ | parameter from_ulid: expected a ULID",
        "from_ulid=01JD8T3ZQ0M5V7XKQW2N8R4E6U | parameter from_ulid: expected a ULID",
        "limit=0 | parameter limit: expected a number from 1",
        "limit=-1 | parameter limit: expected a number from 1",
        "limit=99999999999999999999 | parameter limit: expected a whole number",
        "topic=../x | parameter topic: expected a topic",
        "format=xml | parameter format: expected text, ulid or json, found \"xml\"",
        "late_window=soon | parameter late_window: expected a duration",
        "late_window=25h | parameter late_window: expected at most 24h",
      })
  void badParametersAreRefusedByName(String parameters, String message) throws IOException {
    Answer answer = get(parameters);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).startsWith("error: ").contains(message);
  }
}

package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import io.cordwood.query.LoneNode;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.scan.QueryCaches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries over HTTP against a naive search over the same records; blocks grow hot meanwhile. */
final class QueryApiTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochMilli(1_700_000_010_000L));

  private static SegmentFixture fixture;
  private static LoneNode node;

  @BeforeAll
  static void start() throws IOException {
    fixture = new SegmentFixture(42, 7, 400);
    node = new LoneNode(fixture, new QueryCaches(8 << 20, 1 << 20), CLOCK);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Answer get(String parameters) throws IOException {
    return node.get("/query?" + parameters);
  }

  private static List<Expected> matching(Predicate<Expected> wanted) {
    return fixture.records().stream().filter(wanted).toList();
  }

  private static Predicate<Expected> contains(String needle) {
    String wanted =
        new String(needle.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return r -> new String(r.bytes(), StandardCharsets.ISO_8859_1).contains(wanted);
  }

  private static String q(String pattern) {
    return "q=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8);
  }

  @Test
  void withoutAPatternEveryRecordIsGivenOnceInOrderByteExact() throws IOException {
    assertThat(get("").body()).isEqualTo(SegmentFixture.text(fixture.records()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "line",
        "line 5",
        "of some service",
        "%20",
        "\tat ",
        "no such thing",
        "ine 77 of",
        "200\r"
      })
  void literalsFindWhatANaiveSearchFinds(String needle) throws IOException {
    List<Expected> expected = matching(contains(needle));
    assertThat(get(q(needle)).body()).isEqualTo(SegmentFixture.text(expected));
    assertThat(get(q(needle) + "&count=true").text()).isEqualTo(expected.size() + "\n");
  }

  @Test
  void aCountInJsonSaysHowCompleteItIs() throws IOException {
    long expected = matching(contains("line")).size();
    String object =
        "{\"count\":%d,\"verdict\":\"complete\",\"matches\":%d}\n".formatted(expected, expected);
    assertThat(get("q=line&count=true&format=json").text()).isEqualTo(object);
    assertThat(get("q=line&count=true&format=ndjson").text()).isEqualTo(object);
    assertThat(get("q=line&count=true&format=ulid").text())
        .isEqualTo("error: parameter format: expected text or json, found \"ulid\"\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?q=line&count=true",
        "/query?q=line",
        "/query?q=line&format=ulid",
        "/topics?",
        "/histogram?q=line",
        "/read?limit=3"
      })
  void textEndsWithTheVerdictForWhoSeesNoTrailers(String question) throws IOException {
    String plain = node.get(question).text();
    String told = node.get(question + "&verdict=true").text();
    assertThat(told).startsWith(plain);
    assertThat(told.substring(plain.length()))
        .matches("# cordwood: \\{\"verdict\":\"complete\",\"matches\":\\d+}\n");
  }

  @Test
  void hotBlocksAreSearchedLikeOthers() throws IOException {
    byte[] expected = SegmentFixture.text(matching(contains("line")));
    do {
      assertThat(get("q=line").body()).isEqualTo(expected);
    } while (node.count("cordwood.query.hot.blocks") == 0);
    assertThat(get("q=line").body()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"line", "service", "absent"})
  void invertedQueriesGiveTheOtherRecords(String needle) throws IOException {
    List<Expected> expected = matching(contains(needle).negate());
    assertThat(get(q(needle) + "&invert=true").body()).isEqualTo(SegmentFixture.text(expected));
    assertThat(get(q(needle) + "&invert=true&count=true").text()).isEqualTo(expected.size() + "\n");
  }

  @Test
  void regularExpressionsAndCaseAreAskedForByName() throws IOException {
    List<Expected> expected =
        matching(r ->
            new String(r.bytes(), StandardCharsets.ISO_8859_1).matches("(?s).*line [0-9]5 .*"));
    assertThat(expected).isNotEmpty();
    assertThat(get(q("line [0-9]5 ") + "&regex=true").body())
        .isEqualTo(SegmentFixture.text(expected));
    assertThat(get(q("LINE [0-9]5 ") + "&regex=true&ignore_case=true").body())
        .isEqualTo(SegmentFixture.text(expected));
    assertThat(get(q("line [0-9]5 ")).body()).isEmpty();
  }

  @Test
  void severalPatternsFindWhatOneOfThemFinds() throws IOException {
    List<Expected> expected = matching(contains("line 15 ").or(contains("line 77 ")));
    assertThat(expected).isNotEmpty();
    assertThat(get(q("line 15 ") + '&' + q("line 77 ")).body())
        .isEqualTo(SegmentFixture.text(expected));
    assertThat(get(q("line (15) ") + '&' + q("e 77 ") + "&regex=true").body())
        .isEqualTo(SegmentFixture.text(expected));
  }

  @Test
  void patternsAreNeverLeftOut() throws IOException {
    String many = "q=zz&".repeat(998);
    assertThat(get(many + q("line 15 ") + "&invert=true&count=true").text())
        .isEqualTo(matching(contains("line 15 ").or(contains("zz")).negate()).size() + "\n");
    assertThat(get(many + "q=a&q=b&q=c").status()).isEqualTo(400);
    assertThat(get("q=a&".repeat(1_200)).status()).isEqualTo(400);
  }

  @Test
  void wordsAndWholeRecordsAreAskedForByName() throws IOException {
    List<Expected> words =
        matching(
            r -> new String(r.bytes(), StandardCharsets.ISO_8859_1).matches("(?s).*\\b7 of\\b.*"));
    assertThat(words).isNotEmpty().hasSizeLessThan(matching(contains("7 of")).size());
    assertThat(get(q("7 of") + "&word=true").body()).isEqualTo(SegmentFixture.text(words));
    String record = new String(words.getFirst().bytes(), StandardCharsets.UTF_8);
    assertThat(get(q(record) + "&whole=true").text()).startsWith(record + "\n");
    assertThat(get(q(record.substring(1)) + "&whole=true").body()).isEmpty();
  }

  @Test
  void onlyWhatMatchesIsGivenAsALineEach() throws IOException {
    List<String> expected = new ArrayList<>();
    var number = java.util.regex.Pattern.compile("[0-9]+ |line");
    for (Expected record : fixture.records()) {
      var found = number.matcher(new String(record.bytes(), StandardCharsets.ISO_8859_1));
      while (found.find()) {
        expected.add(found.group());
      }
    }
    Answer answer = get(q("[0-9]+ |line") + "&regex=true&only_matching=true");
    assertThat(answer.text()).isEqualTo(String.join("\n", expected) + "\n");
    assertThat(get(q("line") + "&only_matching=true&limit=3").text())
        .matches("(line\n){3,6}"); // of three records
    assertThat(get("q=a&only_matching=true&invert=true").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void rangesCutBetweenAnyTwoRecords(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    int from = random.nextInt(fixture.records().size());
    int to = from + random.nextInt(fixture.records().size() - from);
    String range =
        "from=%s&to=%s"
            .formatted(fixture.records().get(from).ulid(), fixture.records().get(to).ulid());
    List<Expected> expected = fixture.records().subList(from, to + 1);
    assertThat(get(range).body()).as("seed %d", seed).isEqualTo(SegmentFixture.text(expected));
    assertThat(get(range + "&" + q("line")).body())
        .as("seed %d", seed)
        .isEqualTo(SegmentFixture.text(expected.stream().filter(contains("line")).toList()));
  }

  @Test
  void bothEndsOfATimeRangeBelongToIt() throws IOException {
    long millis = fixture.records().get(fixture.records().size() / 2).ulid().millis();
    String time = Instant.ofEpochMilli(millis).toString();
    assertThat(get("from=" + time + "&to=" + time).body())
        .isEqualTo(SegmentFixture.text(matching(r -> r.ulid().millis() == millis)));
  }

  @Test
  void topicsAreChosenByName() throws IOException {
    assertThat(get("topic=billing").body())
        .isEqualTo(SegmentFixture.text(matching(r -> r.topic().name().equals("billing"))));
    assertThat(get("topic=billing&topic=web-7").body())
        .isEqualTo(SegmentFixture.text(matching(r -> !r.topic().name().equals("default"))));
    assertThat(get("topic=billing,web-7").body())
        .isEqualTo(SegmentFixture.text(matching(r -> !r.topic().name().equals("default"))));
    assertThat(get("topic=nobody").body()).isEmpty();
  }

  @Test
  void topicsAreChosenByHowTheirNamesBegin() throws IOException {
    assertThat(get("topic=web-*").body())
        .isEqualTo(SegmentFixture.text(matching(r -> r.topic().name().equals("web-7"))));
    assertThat(get("topic=b*&topic=default").body())
        .isEqualTo(SegmentFixture.text(matching(r -> !r.topic().name().equals("web-7"))));
    assertThat(get("topic=*").body()).isEqualTo(SegmentFixture.text(fixture.records()));
    assertThat(get("topic=web-7x*").body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 300, 100_000})
  void limitGivesTheOldestAndLastTheNewest(int number) throws IOException {
    List<Expected> all = matching(contains("line"));
    int count = Math.min(number, all.size());
    assertThat(get(q("line") + "&limit=" + number).body())
        .isEqualTo(SegmentFixture.text(all.subList(0, count)));
    assertThat(get(q("line") + "&last=" + number).body())
        .isEqualTo(SegmentFixture.text(all.subList(all.size() - count, all.size())));
    assertThat(get(q("line") + "&count=true&limit=" + number).text()).isEqualTo(count + "\n");
  }

  @Test
  void ulidsStandBeforeTheRecords() throws IOException {
    var expected = new ByteArrayOutputStream();
    matching(contains("line 7"))
        .forEach(r -> {
          expected.writeBytes((r.ulid() + " ").getBytes(StandardCharsets.US_ASCII));
          expected.writeBytes(SegmentFixture.text(List.of(r)));
        });
    assertThat(get(q("line 7") + "&format=ulid").body()).isEqualTo(expected.toByteArray());
  }

  @Test
  void jsonHasOneObjectALineAndLosesNoByte() throws IOException {
    List<String> lines = new ArrayList<>(get("format=json").text().lines().toList());
    assertThat(lines.removeLast())
        .isEqualTo("{\"verdict\":\"complete\",\"matches\":%d}".formatted(fixture.records().size()));
    assertThat(lines).hasSameSizeAs(fixture.records());
    for (int i = 0; i < lines.size(); i++) {
      Expected record = fixture.records().get(i);
      assertThat(lines.get(i))
          .startsWith(
              "{\"ulid\":\"%s\",\"time\":\"%s\",\"topic\":\"%s\",\"record\":\""
                  .formatted(record.ulid(), record.ulid().time(), record.topic()));
      String utf8 = new String(record.bytes(), StandardCharsets.UTF_8);
      if (!java.util.Arrays.equals(utf8.getBytes(StandardCharsets.UTF_8), record.bytes())) {
        assertThat(lines.get(i))
            .endsWith(
                "\"record_base64\":\""
                    + Base64.getEncoder().encodeToString(record.bytes())
                    + "\"}");
      }
    }
  }

  @Test
  void headTellsWhatWouldBeReadAndReadsNothing() throws IOException {
    Answer answer = Answer.ask("HEAD", node.port(), "/query?" + q("no such thing"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("segments")).isEqualTo("7");
    assertThat(answer.connection().getHeaderFieldInt("cordwood-blocks", 0)).isGreaterThan(6);
    assertThat(answer.connection().getHeaderFieldInt("cordwood-blocks-read", -1)).isZero();
    assertThat(answer.connection().getHeaderField("cordwood-matches")).isNull();
  }

  @Test
  void aClientThatLeavesEndsItsQuery() throws IOException {
    try (var own = new LoneNode(fixture.endless(), QueryCaches.NONE, CLOCK)) {
      askAndLeave(own);
      await().until(() -> own.gauge("cordwood.query.running") == 0);
      await().untilAsserted(() -> assertThat(own.count("cordwood.query.abandoned")).isEqualTo(1));
    }
  }

  private static void askAndLeave(LoneNode own) throws IOException {
    try (var client = new Socket(InetAddress.getLoopbackAddress(), own.port())) {
      String request = "GET /query?invert=true HTTP/1.1\r\nHost: x\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().until(() -> own.gauge("cordwood.query.running") == 1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "q=(&regex=true | parameter q: ",
        "q=a(?=b)&regex=true | parameter q: ",
        "from=soon | parameter from: expected a time such as 2026-01-31T12:00:00Z",
        "from=1h&to=2h | from (",
        "limit=0 | parameter limit: expected a number from 1",
        "last=1000000 | parameter last: expected a number from 1 to 100000",
        "limit=1&last=1 | expected one of limit",
        "format=xml | parameter format: expected text, ulid or json, found \"xml\"",
        "topic=../x | parameter topic: expected a topic",
        "topic=a*%20b | parameter topic: expected a topic",
        "topic=a,,b | parameter topic: expected a topic",
        "topic=-* | parameter topic: expected a topic",
        "regex=perhaps | parameter regex: expected true or false",
      })
  void badParametersAreRefusedByName(String parameters, String message) throws IOException {
    Answer answer = get(parameters);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).startsWith("error: ").contains(message);
  }
}

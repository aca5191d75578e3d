package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nobody means, or somebody means ill, asked of a node that asks another. */
final class BadInputTest {
  private static final Ulid FIRST = Ulid.firstOf(1_700_000_000_000L);

  private final TestCluster cluster = new TestCluster(1);
  private final Node node = cluster.query("asked");

  BadInputTest() throws IOException {}

  @BeforeEach
  void start() throws IOException {
    Batch lines =
        Records.batch(
            Topic.DEFAULT,
            Delimiter.LF,
            FIRST,
            List.of(
                bytes("plain"),
                bytes("next!"),
                bytes("nul\0inside"),
                new byte[] {'n', 'o', ' ', (byte) 0xff, (byte) 0xc3}));
    Batch several =
        Records.batch(
            Topic.DEFAULT, Delimiter.NUL, FIRST.plus(10), List.of(bytes("two\nlines\u001b[2J")));
    Batch other = Records.lines(FIRST.plus(20), "!");
    cluster.store("store", new SegmentFixture(1, 1, List.of(lines, several, other)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void assertCount(String parameters, int count) throws IOException {
    Answer answer = node.get("/query?count=true&" + parameters);
    assertThat(answer.text()).as(parameters).isEqualTo(count + "\n");
    assertThat(answer.field("verdict")).isEqualTo("complete");
  }

  private void assertRefused(Answer answer, int status, String message) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).startsWith("error: ").contains(message).endsWith("\n");
    assertThat(answer.text().lines()).hasSize(1);
  }

  @Test
  void emptyPatternFindsEveryRecord() throws IOException {
    assertCount("q=", 6);
    assertCount("q=&regex=true", 6);
    assertCount("q=&invert=true", 0);
  }

  @Test
  void patternOfOneByteFindsWhatHoldsIt() throws IOException {
    assertCount("q=!", 2);
  }

  @Test
  void patternOf64KibibytesIsRefusedByItsLength() throws IOException {
    assertRefused(
        node.post("/query", "q=" + "a".repeat(64 << 10)),
        400,
        "expected at most 4096 bytes of UTF-8, found 65536");
    assertThat(node.get("/query?q=" + "a".repeat(64 << 10)).status()).isEqualTo(414);
  }

  @Test
  void patternThatIsNotUtf8IsRefusedAndTheWayToFindSuchBytesIsNamed() throws IOException {
    String message =
        "parameter q: expected UTF-8, found the byte 0xFF;"
            + " as a regular expression, \\x{FFFD} finds bytes that are not UTF-8";
    for (String path : List.of("/query", "/histogram", "/stream")) {
      assertRefused(node.get(path + "?q=fine&q=no+%FF"), 400, message);
    }
    assertRefused(node.post("/query", "q=%FF"), 400, message);
    assertRefused(node.get("/query?topic=%C3"), 400, "topic: expected UTF-8, found the byte 0xC3");
    assertCount("q=no+%5Cx%7BFFFD%7D%2B%24&regex=true", 1);
    assertCount("q=%5Cx%7BFFFD%7D&regex=true", 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/query?q=x&topc=a     | topc: /query has none; did you mean topic? It has q,",
        "/query?ignore-case    | ignore-case: /query has none; did you mean ignore_case? It",
        "/query?q=x&Limit=1    | Limit: /query has none; did you mean limit? It has q,",
        "/read?from_uild=x     | from_uild: /read has none; did you mean from_ulid? It",
        "/read?q=x             | q: /read has none; it has from_ulid, limit, topic,",
        "/stream?line=3        | line: /stream has none; did you mean lines? It has q,",
        "/stream?here=true     | here: /stream has none; did you mean where?",
        "/histogram?buckts=3   | buckts: /histogram has none; did you mean buckets? It has q,",
        "/topics?tpoic=a       | tpoic: /topics has none; did you mean topic? It has topic,",
        "/topics?progress=true | progress: /topics has none; it has topic,",
        "/query?limit=1&limit=2      | limit: expected one value, found 2",
        "/read?settled&settled=false | settled: expected one value, found 2",
        "/stream?lines=1&lines=1     | lines: expected one value, found 2",
        "/histogram?bucket=1s&bucket=2s | bucket: expected one value, found 2",
        "/topics?from=1h&from=2h     | from: expected one value, found 2"
      })
  void parametersThatAreMisspeltOrGivenTwiceAreRefusedByName(String asked, String refusal)
      throws IOException {
    assertRefused(node.get(asked), 400, "parameter " + refusal);
  }

  @Test
  void parametersThatAreMisspeltAreRefusedWithoutABodyToo() throws IOException {
    assertThat(node.ask("HEAD", "/query?q=x&topic=a").status()).isEqualTo(200);
    assertThat(node.ask("HEAD", "/query?q=x&topc=a").status()).isEqualTo(400);
  }

  @Test
  void nodesPassOverWhatANewerOneAsks() throws IOException {
    String asked = "/query/tier?tier=store&detail=count&q=!&extent=part";
    Node store = cluster.nodes.getLast();
    assertThat(store.get(asked).status()).isEqualTo(200);
    assertThat(store.get(asked + "&of_tomorrow=1").status()).isEqualTo(200);
  }

  @Test
  void nulInAPatternIsAByteLikeAnother() throws IOException {
    assertCount("q=nul%00inside", 1);
    assertCount("q=%5Cx00&regex=true", 1);
  }

  @Test
  void lineFeedInAPatternIsFoundWithinRecordsAndNeverBetweenThem() throws IOException {
    assertCount("q=two%0Alines", 1);
    assertCount("q=plain%0Anext", 0);
    assertCount("q=n%5Cnn&regex=true", 0);
  }

  @Test
  void aMillionAlternativesAreRefused() throws IOException {
    assertThat(node.post("/query", "regex=true&q=" + "a|".repeat(1_000_000)).status())
        .isEqualTo(413);
    assertRefused(
        node.post("/query", "regex=true&q=" + "a%7C".repeat(50_000)), 400, "at most 4096 bytes");
    assertRefused(node.post("/query", "q=a&".repeat(1001)), 400, "at most 1000 patterns");
  }

  @ParameterizedTest
  @CsvSource({"'(a{1000}){1000}'", "'((a{100}){100}){100}'"})
  void patternsThatCountToAMillionAreRefused(String pattern) throws IOException {
    assertRefused(node.post("/query", "regex=true&q=" + pattern), 400, "parameter q: pattern");
  }

  @Test
  void invertedRangeIsRefused() throws IOException {
    assertRefused(
        node.get("/query?from=2024-01-02T00:00:00Z&to=2024-01-01T00:00:00Z"),
        400,
        "expected a time range, found from (2024-01-02T00:00:00Z) after to (2024-01-01T00:00:00Z)");
  }

  @Test
  void rangeInTheFutureIsEmpty() throws IOException {
    assertCount("from=2100-01-01T00:00:00Z&to=2101-01-01T00:00:00Z", 0);
    assertCount("from=9999-12-31T23:59:59Z", 0);
  }

  @Test
  void rangeOfZeroLengthHoldsItsOneRecord() throws IOException {
    assertCount("from=" + FIRST.plus(1) + "&to=" + FIRST.plus(1), 1);
    assertCount("from=" + FIRST.plus(5) + "&to=" + FIRST.plus(5), 0);
    assertCount("from=1700000000000&to=1700000000000", 6);
  }

  @Test
  void rangeMayCountBackFromNow() throws IOException {
    assertCount("to=-3d", 6);
    assertCount("from=now-3d&to=now", 0);
  }

  @Test
  void controlCharactersPassAsTheyAreInTextAndEscapedInJson() throws IOException {
    assertThat(node.get("/query?q=lines").text()).isEqualTo("two\nlines\u001b[2J\n");
    Answer json = node.get("/query?q=lines&format=json");
    assertThat(json.text()).contains("\"record\":\"two\\nlines\\u001B[2J\"");
    assertThat(json.text()).doesNotContain("\u001b");
    assertThat(node.get("/query?q=(%1b[2J&regex=true").text())
        .startsWith("error: ")
        .doesNotContain("\u001b");
  }
}

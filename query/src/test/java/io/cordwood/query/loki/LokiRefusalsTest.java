package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are wrong, or too much, are refused in the words of Loki's API. */
final class LokiRefusalsTest extends LokiFixture {
  @Test
  void whatIsTooMuchIsRefusedAndCounted() throws IOException {
    String rate = "rate(%7B%7D%5B1m%5D)";
    assertRefused("query_range?query=" + rate + "&start=0&end=1700000000&step=1", 400, "11000");
    assertRefused("query_range?query=" + "1%2B".repeat(300) + "1", 400, "at most 200 operations");
    assertRefused("query_range?query=" + "(".repeat(5000), 400, "at most 100 parentheses");
    assertRefused("query_range?query=%7B%7D&limit=100001", 400, "a number from 1 to 100000");
    String names = "abcdefghijklmnopqrst".replaceAll("(.)", "f$1,") + "z";
    assertRefused(
        path("query", "query", "sum by (" + names + ") (rate({}[1m]))").substring(13),
        400,
        "at most 16 fields by which records are counted, found 21");
    assertRefused(
        path("query_range", "query", "{} |~ `(a*)*b(((a{1,50}){1,50}){1,50})`").substring(13),
        400,
        "parameter query");
    String text = "x".repeat(4097);
    for (String filter :
        List.of(
            "|= `%s`",
            "|= `a` != `%s`",
            "|~ `a` |= `%s`",
            "| app =~ `%s`",
            "| regexp `(?P<a>%s)` | a=`b`",
            "| pattern `%s<a>` | a=`b`")) {
      assertRefused(
          path("query_range", "query", "{} " + filter.formatted(text)).substring(13),
          400,
          "expected at most 4096 bytes of UTF-8, found ");
    }
    String groups = IntStream.range(0, 33).mapToObj(i -> "(?P<g" + i + ">.)").collect(joining());
    assertRefused(
        path("query_range", "query", "{} | regexp `" + groups + "` | g1=`b`").substring(13),
        400,
        "expected at most 32 groups, found 33");
    assertRefused(
        path("query_range", "query", "{}" + " | line_format `{{count \"a\" .b}}`".repeat(9))
            .substring(13),
        400,
        "expected at most 8 regular expressions in templates, found more");
    assertThat(refused("points")).isEqualTo(1);
    assertThat(refused("query")).isEqualTo(12);
    assertThat(refused("records")).isEqualTo(1);
    assertThat(cluster.lines("{} |~ `(a*)*(a|a)*(.*)*card$`")).hasSize(2);
  }

  private double refused(String limit) {
    return cluster
        .asked
        .meters
        .get("cordwood.query.loki.refused")
        .tag("limit", limit)
        .counter()
        .count();
  }

  @Test
  void whatIsWrongIsSaid() throws IOException {
    assertRefused(
        "query_range?query=" + "%7B%7D%20%7C%20unwrap%20x",
        400, "character 6: unwrap is not supported");
    assertRefused("query_range", 400, "parameter query: expected, found none");
    assertRefused("query?query=%7B%7D", 400, "those are for query_range");
    assertRefused(
        "query_range?query=%7B%7D&limit=0",
        400, "parameter limit: expected a number from 1 to 100000");
    assertRefused("query_range?query=%7B%7D&direction=up", 400, "parameter direction");
    assertRefused("query_range?query=%7B%7D&start=2&end=1", 400, "parameter end");
    assertRefused(
        "query_range?query=%7B%7D&start=now", 400, "parameter start: expected nanoseconds");
    assertRefused(
        "query_range?query=%7B%7D&interval=1.5",
        400, "parameter interval: a time between records is not supported");
    assertRefused("query_range?query=%7B%7D&interval=x", 400, "parameter interval: expected");
    assertThat(cluster.client().get("/loki/api/v1/query_range?query=%7B%7D&interval=0").status())
        .isEqualTo(200);
    String counts = "query_range?query=" + "rate(%7B%7D%5B1m%5D)" + "&start=0&end=1700000000";
    assertRefused(counts + "&step=0", 400, "parameter step: expected 1ms or more");
    assertRefused(
        counts + "&step=1", 400, "parameter step: expected one with at most 11000 points");
    Answer unknown = cluster.client().get("/loki/api/v1/rules?query=x");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.text()).startsWith("{\"status\":\"error\",");
    assertThat(cluster.client().ofTenant("team-a").get("/loki/api/v1/labels").status())
        .isEqualTo(400);
    assertThat(cluster.client().ofTenant("fake").get("/loki/api/v1/labels").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "0s", "0.0", "0.0000001", "1ns", "-1", "-1s", "1e3", "NaN", "Inf", "1x", "."})
  void stepsThatAreNoneAreRefused(String step) throws IOException {
    String counts = path("query_range", "query", "rate({}[1m])", "start", "0", "end", "1000000");
    assertRefused(counts.substring(13) + "&step=" + step, 400, "parameter step: expected ");
    assertRefused(counts.substring(13) + "&step=" + "9".repeat(30), 400, "parameter step");
    assertThat(refused("points")).isZero();
  }

  @Test
  void aMillionPointsAreRefusedAndCounted() throws IOException {
    String counts = path("query_range", "query", "rate({}[1m])", "start", "0", "end", "1000000");
    assertRefused(counts.substring(13) + "&step=1", 400, "at most 11000 points, found 1000001");
    assertThat(refused("points")).isEqualTo(1);
    assertThat(cluster.client().get(counts + "&step=91").status()).isEqualTo(200);
  }

  @Test
  void queriesOfAllSizesAreAnsweredOrRefused() throws IOException {
    String longest = "{} |= `card`" + " ".repeat((64 << 10) - "{} |= `card`".length());
    Answer answered = asked(longest);
    assertThat(answered.status()).as(answered.text()).isEqualTo(200);
    Answer longText = asked("{} |= `" + "x".repeat(60_000) + "`");
    assertThat(longText.status()).isEqualTo(400);
    assertThat(longText.text()).contains("parameter query: ", "expected", "found");
    for (String tooLong : List.of(longest + " ", "x".repeat(80_000), "(".repeat(65_537))) {
      Answer answer = asked(tooLong);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains("parameter query: ", "at most 65536 characters");
    }
    assertThat(refused("query")).isEqualTo(4);
  }

  @Test
  void whatFormatsMakeOfRecordsFitsIntoTheMemoryOfAnAnswer() throws IOException {
    String format = storeLongRecords();
    Answer tooMuch = asked(format.formatted("b".repeat(4000)));
    assertThat(tooMuch.text())
        .contains("parameter limit: expected as many records as fit into the memory of an answer");
    assertThat(tooMuch.status()).isEqualTo(400);
    Answer tooLong = asked(format.formatted("b".repeat(5000)));
    assertThat(tooLong.text())
        .contains("parameter query: expected at most 4194304 characters of a text, found more");
    assertThat(refused("records")).isEqualTo(1);
    assertThat(refused("query")).isEqualTo(1);
    assertThat(asked(format.formatted("bb")).text()).contains("b".repeat(2000));
  }

  /** A query for them that makes each 1,000 times as long as the text that it is formatted with. */
  private String storeLongRecords() throws IOException {
    String[] records = new String[40];
    Arrays.fill(records, "a".repeat(1000));
    cluster.cluster.store(
        "another",
        new SegmentFixture(1, 1, List.of(LokiCluster.batch("long", 0, Map.of(), records))));
    return "{topic=`long`} | line_format `{{__line__ | replace \"a\" \"%s\"}}`";
  }

  @Test
  void labelsThatAreMadeTooLongForACountAreRefused() throws IOException {
    storeLongRecords();
    String counted = "sum by (a) (count_over_time({topic=`long`} | label_format a=`%s` [1m]))";
    String replaced = "{{\"%s\" | replace \"x\" \"%s\"}}";
    String tooLong = replaced.formatted("x".repeat(2000), "y".repeat(3000));
    Answer answer = asked(counted.formatted(tooLong));
    assertThat(answer.text())
        .contains("parameter query: expected at most 4194304 characters of a text, found more");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(refused("query")).isEqualTo(1);
  }

  @Test
  void aClientThatLeavesBeforeAllIsWrittenHasAbandonedItsQuery() throws IOException {
    String query = storeLongRecords().formatted("b".repeat(2000));
    String path =
        path(
            "query_range",
            "query",
            query,
            "start",
            LokiCluster.START,
            "end",
            LokiCluster.END,
            "limit",
            "20");
    try (var client = new Socket(InetAddress.getLoopbackAddress(), cluster.asked.port())) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(client.getInputStream().read()).isEqualTo('H');
    }
    await()
        .untilAsserted(() ->
            assertThat(cluster.asked.meters.get("cordwood.query.abandoned").counter().count())
                .isEqualTo(1));
  }

  private Answer asked(String query) throws IOException {
    return cluster.asked.post(
        "/loki/api/v1/query_range",
        "query="
            + URLEncoder.encode(query, StandardCharsets.UTF_8)
            + ("&start=" + LokiCluster.START + "&end=" + LokiCluster.END));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{app=~`(a+)+`}",
        "{app=~`(a|aa|a?)*b`}",
        "{topic=`hard`} |~ `(a+)+$`",
        "{topic=`hard`} |~ `(.*a){12}b`",
        "{topic=`hard`} | app=~`(a|aa)+`",
        "{topic=`hard`} | regexp `(?P<x>(a+)+)$` | x!=``"
      })
  void regexesThatTakeForEverElsewhereEnd(String query) throws IOException {
    String hard = "a".repeat(4000) + "!";
    cluster.cluster.store(
        "another",
        new SegmentFixture(
            1, 1, List.of(LokiCluster.batch("hard", 0, Map.of("app", hard), hard.repeat(10)))));
    assertThat(cluster.lines(query)).isEmpty();
    assertThat(cluster.lines("{topic=`hard`, app!~`(a+)+`} !~ `(a|a)*b`")).hasSize(1);
    String replaced =
        "label_replace(sum by (app) (count_over_time({topic=`hard`}[1m])),"
            + " `x`, `y`, `app`, `(a+)+`)";
    String time = Long.toString(LokiCluster.FIRST / 1000 + 1);
    Answer answer = cluster.client().get(path("query", "query", replaced, "time", time));
    assertThat(answer.text()).contains("\"metric\":{\"app\":\"aaa").doesNotContain("\"x\"");
  }

  private void assertRefused(String path, int status, String message) throws IOException {
    Answer answer = cluster.client().get("/loki/api/v1/" + path);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).contains(message);
  }
}

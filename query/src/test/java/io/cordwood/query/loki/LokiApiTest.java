package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static io.cordwood.query.loki.LokiCluster.END;
import static io.cordwood.query.loki.LokiCluster.FIRST;
import static io.cordwood.query.loki.LokiCluster.START;
import static io.cordwood.query.loki.LokiCluster.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.loki.LokiClient.Line;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Grafana and logcli ask any node for what two hold. */
final class LokiApiTest extends LokiFixture {
  @ParameterizedTest
  @CsvFileSource(resources = "/logql/selected.csv", delimiter = ';', quoteCharacter = '\0')
  void recordsAreSelected(String query, String millis) throws IOException {
    assertThat(cluster.lines(query))
        .extracting(line -> Long.parseLong(line.nanos()) / 1_000_000 - FIRST)
        .as(query)
        .map(String::valueOf)
        .containsExactlyElementsOf(millis.equals("''") ? List.of() : List.of(millis.split(" ")));
  }

  @Test
  void startBelongsToTheRangeAndEndDoesNot() throws IOException {
    String second = Long.toString((FIRST + 1000) * 1_000_000);
    String after = Long.toString((FIRST + 1000) * 1_000_000 + 1);
    assertThat(
            cluster
                .client()
                .lines(path("query_range", "query", "{}", "start", START, "end", second)))
        .hasSize(2);
    assertThat(
            cluster.client().lines(path("query_range", "query", "{}", "start", second, "end", END)))
        .hasSize(3);
    assertThat(
            cluster
                .client()
                .lines(
                    path(
                        "query_range",
                        "query",
                        "{}",
                        "start",
                        after,
                        "end",
                        Long.toString(Long.parseLong(after) + 1))))
        .isEmpty();
    assertThat(
            cluster
                .client()
                .lines(path("query_range", "query", "{}", "start", START, "end", START)))
        .isEmpty();
    assertThat(cluster.lines("{}", "limit", "2", "direction", "FORWARD"))
        .extracting(Line::text)
        .containsExactly("level=info msg=taken status=200 dur=20ms size=3KiB", "payment failed");
    assertThat(cluster.lines("{}", "limit", "1"))
        .extracting(Line::nanos)
        .containsExactly("1700000003000000000");
  }

  @Test
  void labelsAreCategorizedIfAsked() throws IOException {
    assertThat(cluster.lines("{app=\"shop\"} | logfmt", "direction", "forward", "limit", "2"))
        .satisfiesExactly(
            taken -> {
              assertThat(taken.stream())
                  .isEqualTo(
                      Map.of(
                          "app", "shop", "pod", "shop-1", "topic", "shop", "service_name", "shop"));
              assertThat(taken.beside()).isEqualTo(Map.of("detected_level", "info"));
              assertThat(taken.parsed())
                  .containsEntry("status", "200")
                  .containsEntry("dur", "20ms");
            },
            failed -> {
              assertThat(failed.text()).isEqualTo("payment failed");
              assertThat(failed.beside())
                  .isEqualTo(Map.of("trace_id", "4bf9", "n", "7", "detected_level", "unknown"));
              assertThat(failed.parsed()).isEmpty();
            });
    assertThat(
            cluster
                .client()
                .plain()
                .lines(path("query_range", "query", "{} |= `failed`", "start", START, "end", END)))
        .singleElement()
        .satisfies(line ->
            assertThat(line.stream())
                .containsEntry("trace_id", "4bf9")
                .containsEntry("pod", "shop-1"));
  }

  @Test
  void fieldsThatAreNamedBecomeLabelsAndNoOthers() throws IOException {
    String named = "{service_name=`payments`} | json who=`user.id`, status";
    assertThat(cluster.lines(named + " | who=17 | status>=500"))
        .singleElement()
        .satisfies(
            line -> assertThat(line.parsed()).isEqualTo(Map.of("who", "17", "status", "503")));
    assertThat(cluster.lines(named + " | who!=`17`")).isEmpty();
    assertThat(cluster.lines("{} | logfmt code=`status`, took=`dur` | code=200"))
        .singleElement()
        .satisfies(
            line -> assertThat(line.parsed()).isEqualTo(Map.of("code", "200", "took", "20ms")));
    String time = Long.toString(LokiCluster.FIRST / 1000 + 60);
    assertThat(number("sum by (who) (count_over_time(" + named + " [1m]))", time))
        .contains("{\"metric\":{\"who\":\"17\"},\"value\":[" + time + ",\"1\"]}");
    assertThat(number("sum(sum_over_time(" + named + " | unwrap who [1m]))", time))
        .contains("{\"metric\":{},\"value\":[" + time + ",\"17\"]}");
  }

  @Test
  void seriesHaveTheLabelsThatStagesMake() throws IOException {
    String time = Long.toString(LokiCluster.FIRST / 1000 + 60);
    String counted = "sum by (who) (count_over_time({service_name=`payments`} | json | %s [1m]))";
    assertThat(number(counted.formatted("label_format who=`{{.level | ToUpper}}`"), time))
        .contains("{\"metric\":{\"who\":\"ERROR\"}");
    assertThat(number(counted.formatted("label_format who=user_id"), time))
        .contains("{\"metric\":{\"who\":\"17\"}");
    assertThat(number(counted.formatted("label_format who=level | drop who"), time))
        .contains("{\"metric\":{}");
    assertThat(number("count_over_time({app=`shop`} | drop pod | label_format a=`x` [2m])", time))
        .contains(
            "\"result\":[{\"metric\":{\"a\":\"x\",\"app\":\"shop\",\"service_name\":\"shop\",")
        .contains(",\"3\"]}]");
    assertThat(number(counted.formatted("label_format who=`{{__line__}}`"), time))
        .contains("a label of a line or a time, by which records are counted, is not supported");
    assertThat(number("bytes_rate({app=`shop`} | decolorize [1m])", time))
        .contains("a stage that changes the line in bytes_rate is not supported");
  }

  @Test
  void labelsThatStagesChangedAreFiltered() throws IOException {
    String pay = "{topic=`pay`} | json ";
    for (String filter :
        List.of(
            "| label_format who=user_id | who=17 | user_id=``",
            "| label_format a=level | label_format b=a | b=`error`, a=``",
            "| drop level | level=`` | status=503",
            "| keep status | level=``, status=`503`",
            "| drop level=~`err.*` | level=``, status=`503`",
            "| drop level!=`error` | level=`error`",
            "| keep status=`503`, topic | topic=`pay`, status>500")) {
      assertThat(cluster.lines(pay + filter))
          .as(filter)
          .singleElement()
          .satisfies(line -> assertThat(line.text()).contains("503"));
    }
    for (String filter :
        List.of(
            "| drop level | level=`error`",
            "| keep level | status>500",
            "| drop level=`error` | level=`error`",
            "| keep level=`info` | level=`error`",
            "| label_format a=level | level=`error`")) {
      assertThat(cluster.lines(pay + filter)).as(filter).isEmpty();
    }
    assertThat(number("rate({} | label_format a=`{{.b}}` | a=`x` [1m])", "1"))
        .contains("character 37: a filter of a label that a template makes is not supported");
  }

  @Test
  void aLabelThatIsMadeOfNothingIsNone() throws IOException {
    assertThat(cluster.lines("{} |= `plain` | label_format a=none, b=`{{.none}}`, c=`x`"))
        .singleElement()
        .satisfies(line -> assertThat(line.parsed()).isEqualTo(Map.of("c", "x")));
  }

  @Test
  void topicsAreFilteredAlsoAfterTheSelector() throws IOException {
    assertThat(cluster.lines("{} | topic=`pay` | service_name=`payments`"))
        .isEqualTo(cluster.lines("{topic=`pay`, service_name=`payments`}"))
        .hasSize(1);
    assertThat(cluster.lines("{} | service_name=`shop`")).hasSize(3);
    assertThat(number("rate({} | topic=`pay` or level=`error` [1m])", "1"))
        .contains("a filter of topic as one of several alternatives is not supported");
  }

  @Test
  void labelsGoByTheirValues() throws IOException {
    assertThat(
            cluster.lines("{service_name=`payments`} | json | drop level=`error`, status!~`5..`"))
        .singleElement()
        .satisfies(line -> assertThat(line.parsed()).containsOnlyKeys("status", "user_id"));
    assertThat(
            cluster.lines("{service_name=`payments`} | json | keep level=`error`, status!~`5..`"))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.parsed()).containsOnlyKeys("level");
          assertThat(line.stream()).isEmpty();
        });
  }

  private String number(String query, String time) throws IOException {
    return cluster.client().get(path("query", "query", query, "time", time)).text();
  }

  @Test
  void linesAndLabelsAreFormatted() throws IOException {
    assertThat(
            cluster.lines(
                "{service_name=`payments`} | json | line_format `{{.user_id}} {{.topic}}`"
                    + " | label_format id=user_id, x=`a{{.status}}` | drop level"))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.text()).isEqualTo("17 pay");
          assertThat(line.parsed()).isEqualTo(Map.of("id", "17", "x", "a503", "status", "503"));
        });
    assertThat(
            cluster.lines(
                "{service_name=`payments`} | json | line_format"
                    + " `{{__timestamp__ | date \"15:04:05\"}} {{if eq .level \"error\"}}!{{end}}"
                    + "{{.level | ToUpper | alignLeft 6}}{{div .status 100}}xx`"))
        .singleElement()
        .satisfies(line -> assertThat(line.text()).isEqualTo("22:13:22 !ERROR 5xx"));
    assertThat(cluster.lines("{} |= `plain` | decolorize | keep topic"))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.text()).isEqualTo("plain red card");
          assertThat(line.stream()).isEqualTo(Map.of("topic", "pay"));
        });
  }

  @Test
  void saveAndTestPasses() throws IOException {
    Answer answer =
        cluster
            .client()
            .get(
                "/loki/api/v1/query?direction=backward&query=vector(1)%2Bvector(1)"
                    + "&time=4000000000");
    assertThat(answer.text())
        .contains(
            "\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[4000000000,\"2\"]}]");
  }

  /** As Grafana's rules ask, without a limit. */
  @ParameterizedTest
  @CsvSource({
    "1700000005000000000, 1700000005",
    "1700000005, 1700000005",
    "1700000005.25, 1700000005.25",
    "1700000005.250000001, 1700000005.25",
    "2023-11-14T22:13:25Z, 1700000005"
  })
  void rulesAskForNumbersOfOneTime(String time, String seconds) throws IOException {
    assertThat(decidedAt(time))
        .contains("{\"resultType\":\"vector\",\"result\":[")
        .contains("{\"metric\":{\"topic\":\"pay\"},\"value\":[" + seconds + ",\"2\"]}")
        .contains("{\"metric\":{\"topic\":\"shop\"},\"value\":[" + seconds + ",\"3\"]}")
        .doesNotContain("warnings");
  }

  private String decidedAt(String time) throws IOException {
    String query = "sum by (topic) (count_over_time({topic=~\".+\"} [5m]))";
    Answer answer =
        cluster.client().get(path("query", "direction", "backward", "query", query, "time", time));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text();
  }

  @Test
  void aRuleIsToldThatANodeIsMissing() throws IOException {
    cluster.cluster.nodes.get(1).close();
    assertThat(decidedAt("1700000005"))
        .contains("\"warnings\":[\"verdict possibly-incomplete", "\"topic\":\"shop\"")
        .doesNotContain("\"topic\":\"pay\"");
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/logql/counted.csv", delimiter = ';', quoteCharacter = '\0')
  void numbersAreCountedByTime(String query, String result) throws IOException {
    String end = Long.toString((FIRST + 4000) * 1_000_000);
    String text =
        cluster
            .client()
            .get(path("query_range", "query", query, "start", START, "end", end, "step", "1000ms"))
            .text()
            .replace('"', '\'');
    assertThat(text).contains("'resultType':'matrix'");
    for (String series : result.substring(1, result.length() - 1).split("(?<=]]}),", -1)) {
      assertThat(text).as(query).contains(series);
    }
    assertThat(text.split("'metric'").length).as(text).isEqualTo(result.split("'metric'").length);
  }

  @Test
  void seriesAreSorted() throws IOException {
    String counted = "(sum by (pod) (count_over_time({topic=\"shop\"}[1m])))";
    for (String sort : List.of("sort", "sort_desc")) {
      String time = Long.toString((FIRST + 5000) * 1_000_000);
      String text =
          cluster.client().get(path("query", "query", sort + counted, "time", time)).text();
      boolean isLeastFirst = text.indexOf("\"shop-2\"") < text.indexOf("\"shop-1\"");
      assertThat(isLeastFirst).as(text).isEqualTo(sort.equals("sort"));
      assertThat(text).contains("\"2\"]");
    }
  }

  @Test
  void labelsStreamsAndTheirSizesAreNamed() throws IOException {
    String range = "start=" + START + "&end=" + END;
    assertThat(data("/loki/api/v1/labels?" + range))
        .isEqualTo("[\"app\",\"pod\",\"service_name\",\"topic\"]");
    assertThat(data(path("labels", "query", "{topic=\"pay\"}") + "&" + range))
        .isEqualTo("[\"service_name\",\"topic\"]");
    assertThat(data("/loki/api/v1/label/pod/values?" + range)).isEqualTo("[\"shop-1\",\"shop-2\"]");
    assertThat(data(path("label/pod/values", "query", "{pod!=\"shop-1\"}") + "&" + range))
        .isEqualTo("[\"shop-2\"]");
    assertThat(data("/loki/api/v1/label/topic/values?" + range)).isEqualTo("[\"pay\",\"shop\"]");
    assertThat(data("/loki/api/v1/label/service_name/values?" + range))
        .isEqualTo("[\"pay\",\"payments\",\"shop\"]");
    assertThat(
            data(
                path("series", "match[]", "{pod=~\".+\"}", "match", "{service_name=\"pay\"}")
                    + "&"
                    + range))
        .isEqualTo(
            "[{\"app\":\"shop\",\"pod\":\"shop-1\",\"service_name\":\"shop\",\"topic\":\"shop\"},"
                + "{\"app\":\"shop\",\"pod\":\"shop-2\",\"service_name\":\"shop\","
                + "\"topic\":\"shop\"},"
                + "{\"service_name\":\"pay\",\"topic\":\"pay\"}]");
    assertThat(
            cluster
                .client()
                .get(path("index/stats", "query", "{app=\"shop\"}") + "&" + range)
                .text())
        .startsWith("{\"streams\":2,\"chunks\":2,\"bytes\":")
        .contains("\"entries\":3");
    assertThat(
            cluster
                .client()
                .get(
                    path(
                            "index/volume",
                            "query",
                            "{app=\"shop\"}",
                            "targetLabels",
                            "pod",
                            "limit",
                            "1")
                        + "&"
                        + range)
                .text())
        .contains(
            "\"resultType\":\"vector\",\"result\":[{\"metric\":{\"pod\":\"shop-1\"},"
                + "\"value\":[1700000059.999,\"9");
    assertThat(data(path("format_query", "query", "rate({a=`b`}[1m])")))
        .isEqualTo("\"rate({a=\\\"b\\\"} [60000ms])\"");
    assertThat(cluster.client().get("/loki/api/v1/status/buildinfo").text())
        .startsWith("{\"version\":\"");
  }

  @Test
  void whatRecordsLookLikeIsDetected() throws IOException {
    String range = "start=" + START + "&end=" + END;
    assertThat(cluster.client().get("/loki/api/v1/detected_labels?" + range).text())
        .startsWith(
            "{\"detectedLabels\":[{\"label\":\"app\",\"cardinality\":1},"
                + "{\"label\":\"pod\",\"cardinality\":2},"
                + "{\"label\":\"service_name\",\"cardinality\":3},"
                + "{\"label\":\"topic\",\"cardinality\":2}]");
    assertThat(
            cluster
                .client()
                .get(path("detected_labels", "query", "{pod=`shop-2`}") + "&" + range)
                .text())
        .contains("{\"label\":\"pod\",\"cardinality\":1}");
    assertThat(cluster.client().get(path("detected_fields", "query", "{}") + "&" + range).text())
        .startsWith("{\"fields\":[{\"label\":")
        .contains(
            "{\"label\":\"detected_level\",\"type\":\"string\",\"cardinality\":3,\"parsers\":null}",
            "{\"label\":\"dur\",\"type\":\"duration\",\"cardinality\":1,\"parsers\":[\"logfmt\"]}",
            "{\"label\":\"n\",\"type\":\"int\",\"cardinality\":1,\"parsers\":null}",
            "{\"label\":\"size\",\"type\":\"bytes\",",
            "{\"label\":\"status\",\"type\":\"int\",\"cardinality\":2,"
                + "\"parsers\":[\"json\",\"logfmt\"]}",
            "\"label\":\"user_id\"");
    assertThat(
            cluster
                .client()
                .get(path("detected_field/status/values", "query", "{}") + "&" + range)
                .text())
        .startsWith("{\"values\":[\"200\",\"503\"],\"limit\":100");
    assertThat(data(path("patterns", "query", "{app=`shop`}", "step", "60s") + "&" + range))
        .contains("{\"pattern\":\"<_>a refused card<_>\",\"samples\":[[1700000000,1]]}")
        .contains("{\"pattern\":\"<_>taken<_>\",\"samples\":[[1700000000,1]]}");
    assertThat(cluster.client().get("/loki/api/v1/drilldown-limits").text())
        .contains("\"pattern_ingester_enabled\":true");
  }

  @Test
  void valuesThatTakeTooMuchMemoryTogetherAreNotAllDetected() throws IOException {
    List<Batch> batches =
        IntStream.range(0, 1000)
            .mapToObj(i -> batch("big", i, Map.of(), "value=" + i + "x".repeat(12_000)))
            .toList();
    cluster.cluster.store("large", new SegmentFixture(1, 1, batches));
    String path = path("detected_field/value/values", "query", "{topic=`big`}");
    String text =
        cluster
            .client()
            .get(path + "&limit=1000&line_limit=1000&start=" + START + "&end=" + END)
            .text();
    assertThat(text.length())
        .as(text.substring(0, Math.min(text.length(), 300)))
        .isBetween(1_000_000, 9_000_000);
  }

  /** The requests of version 0.2.5. */
  @Test
  void whatLokiReaderCoreAsksIsAnswered() throws IOException {
    String range = "start=1700000000000000000&end=1700000060000000000";
    assertThat(
            cluster
                .client()
                .plain()
                .lines(
                    "/loki/api/v1/query_range?query=%7Bapp%3D%22shop%22%7D+%7C%3D+%22failed%22&"
                        + range
                        + "&limit=10&direction=backward"))
        .extracting(Line::text)
        .containsExactly("payment failed");
    assertThat(
            cluster
                .client()
                .get(
                    "/loki/api/v1/query?query=sum%28count_over_time%28%7Bapp%3D%22shop%22%7D%5B5m"
                        + "%5D%29%29&limit=100")
                .text())
        .contains("{\"resultType\":\"vector\",\"result\":[]");
    assertThat(data("/loki/api/v1/labels?" + range)).contains("\"app\"");
    assertThat(data("/loki/api/v1/label/app/values?" + range)).isEqualTo("[\"shop\"]");
    assertThat(data("/loki/api/v1/series?match%5B%5D=%7Bapp%3D%22shop%22%7D&" + range))
        .contains("\"pod\":\"shop-1\"", "\"pod\":\"shop-2\"");
  }

  private String data(String path) throws IOException {
    Answer answer = cluster.client().get(path);
    String head = "{\"status\":\"success\",\"data\":";
    String text = answer.text().strip();
    assertThat(text).startsWith(head);
    return text.substring(head.length(), text.length() - 1);
  }

  @Test
  void aMissingNodeIsAWarning() throws IOException {
    cluster.cluster.nodes.get(1).close();
    String text =
        cluster.client().get(path("query_range", "query", "{}", "start", START, "end", END)).text();
    assertThat(text).contains("\"warnings\":[\"verdict possibly-incomplete");
    assertThat(
            cluster
                .client()
                .get(path("query_range", "query", "{}", "start", START, "end", END))
                .field("verdict"))
        .isEqualTo("possibly-incomplete");
  }

  @Test
  void formsAreTakenToo() throws IOException {
    assertThat(
            cluster
                .asked
                .post("/loki/api/v1/query_range", "query=%7B%7D&start=" + START + "&end=" + END)
                .text())
        .contains("a refused card");
  }
}

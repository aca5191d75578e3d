package io.cordwood.ingest.jsonline;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.event.EventLines;
import io.cordwood.ingest.node.HttpNodeFixture;
import io.cordwood.ingest.node.RunningNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of JSON at VictoriaLogs' path. */
class JsonLineTest extends HttpNodeFixture {
  private static final String PATH = "/insert/jsonline";
  private static final String JSON = "{\"app\":\"shop\"}";

  private List<Batch> stored(String parameters, String body, int records) throws Exception {
    HttpResponse<String> answer =
        http.post(PATH + parameters, body.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return http.node.consume(records);
  }

  @Test
  void linesStayAsTheyAreAndStreamFieldsBecomeLabels() throws Exception {
    String one = "{ \"app\" : \"shop\",  \"k8s\":{\"pod\":\"p-1\",\"x\":{}},\"_msg\":\"a  {b\" }";
    String two = "{\"k8s\":{\"pod\":\"p-1\"},\"n\":1.0,\"n\":[2],\"app\":\"shop\"}";
    List<Batch> batches =
        stored("?_stream_fields=app,k8s.pod&_msg_field=_msg&debug=1", one + "\n\r\n" + two, 2);
    assertThat(RunningNode.text(batches)).isEqualTo(one + "\n" + two + "\n");
    assertThat(batches.getFirst().topic().name()).isEqualTo("shop");
    assertThat(batches.getFirst().labels().pairs())
        .isEqualTo(Map.of("app", "shop", "k8s.pod", "p-1"));
    assertThat(http.node.counted("blank_lines_ignored")).isEqualTo(1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void extraFieldsOfARequestAreLabelsOfItsLines() throws Exception {
    Batch batch = stored("?_stream_fields=app&extra_fields=env=a%3Db,zone=1", JSON, 1).getFirst();
    assertThat(batch.labels().pairs()).isEqualTo(Map.of("app", "shop", "env", "a=b", "zone", "1"));
    byte[] body = JSON.getBytes(StandardCharsets.UTF_8);
    assertThat(http.post(PATH, body, "VL-Extra-Fields", "env=x").statusCode()).isEqualTo(200);
    assertThat(http.node.consume(1).getFirst().labels().pairs()).isEqualTo(Map.of("env", "x"));
    HttpResponse<String> answer = http.post(PATH + "?extra_fields=env", body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("extra_fields: expected NAME=VALUE, found \"env\"");
  }

  @Test
  void theTimeIsThatOfItsField() throws Exception {
    long millis = System.currentTimeMillis() - 3_600_000;
    String text = java.time.Instant.ofEpochMilli(millis).toString();
    for (String time : new String[] {"\"" + text + "\"", millis + "", "\"" + millis + "000000\""}) {
      List<Batch> batches = stored("?_time_field=x,a.t", "{\"a\":{\"t\":" + time + "}}", 1);
      assertThat(batches.getFirst().first().millis()).isEqualTo(millis);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_time\":\"1970-01-01T00:00:00Z\"}",
        "{\"_time\":18446744073709551615}",
        "{\"_time\":0}",
        "{\"_time\":\"never\"}",
        "{\"_time\":1e99}",
        "{\"_time\":{}}",
        "{}"
      })
  void aTimeFarAwayOrNoneIsThatOfArrivalAndTheLineHasItsOwn(String line) throws Exception {
    List<Batch> batches = stored("", line, 1);
    assertThat(RunningNode.text(batches)).isEqualTo(line + "\n");
    assertThat(Math.abs(batches.getFirst().first().millis() - System.currentTimeMillis()))
        .isLessThan(600_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "[1]", "{\"a\":1", "{} x", "1", "{\"a\":\"\\q\"}"})
  void aLineThatIsNoObjectIsAText(String line) throws Exception {
    assertThat(RunningNode.text(stored("?_stream_fields=a", line + "\n{\"a\":1}\n", 2)))
        .contains(line + "\n")
        .contains("{\"a\":1}\n");
  }

  @Test
  void linesOfAnyLengthAndDepthArriveAsTheyAre() throws Exception {
    var random = new Random(7);
    var lines = new ArrayList<String>();
    for (int i = 0; i < 60; i++) {
      int length = i % 10 == 0 ? random.nextInt(200_000) : random.nextInt(300);
      lines.add("{\"n\":%d,\"x\":\"%s\"}".formatted(i, "é".repeat(length)));
    }
    lines.add("{\"a\":" + "[".repeat(300) + "]".repeat(300) + "}");
    List<Batch> batches = stored("", String.join("\n", lines), lines.size());
    assertThat(RunningNode.text(batches).lines()).containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void aLineThatIsTooLongIsRefusedAndSoIsATenant() throws Exception {
    byte[] line = new byte[EventLines.MAX_LINE_BYTES + 1];
    Arrays.fill(line, (byte) 'x');
    HttpResponse<String> answer = http.post(PATH, line);
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("line 1: expected at most 16777216 bytes");
    assertThat(
            http.post(PATH, "{}".getBytes(StandardCharsets.UTF_8), "AccountID", "7").statusCode())
        .isEqualTo(400);
    assertThat(
            http.post(PATH, "{}".getBytes(StandardCharsets.UTF_8), "AccountID", "0").statusCode())
        .isEqualTo(200);
  }
}

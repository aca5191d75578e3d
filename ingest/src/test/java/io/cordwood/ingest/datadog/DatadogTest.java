package io.cordwood.ingest.datadog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.FailingDiskFixture;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datadog's API for logs. */
class DatadogTest extends FailingDiskFixture {
  private static final String PATH = "/api/v2/logs";

  @ParameterizedTest
  @ValueSource(strings = {PATH, "/v1/input"})
  void logsAreTakenAndTagsBecomeLabels(String path) throws Exception {
    long millis = System.currentTimeMillis() - 5000;
    String body =
        """
        [{"message":"a \\"line\\"","hostname":"web-1","service":"shop","ddsource":"java",
          "ddtags":"env:prod,team:a:b,solo,service:x","status":"error","timestamp":%d}]\
        """
            .formatted(millis);
    HttpResponse<String> answer = post(path, body, "content-type", "application/json");
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEqualTo("{}");
    assertThat(StoredEvent.of(http.node, 1))
        .containsExactly(
            new StoredEvent(
                "shop",
                Map.of(
                    "hostname", "web-1",
                    "service", "shop",
                    "ddsource", "java",
                    "ddtags", "env:prod,team:a:b,solo,service:x",
                    "env", "prod",
                    "team", "a:b"),
                millis,
                "a \"line\"",
                Map.of("status", "error", "timestamp", Long.toString(millis))));
    http.node.assertLedgerIsExact();
  }

  @Test
  void parametersDescribeTheSenderUnlessALogDoes() throws Exception {
    assertThat(
            post(
                    PATH + "?ddsource=nginx&service=web&ddtags=env:dev",
                    "{\"message\":\"x\",\"service\":\"shop\"}")
                .statusCode())
        .isEqualTo(202);
    assertThat(StoredEvent.of(http.node, 1).getFirst().labels())
        .isEqualTo(
            Map.of("ddsource", "nginx", "service", "shop", "ddtags", "env:dev", "env", "dev"));
  }

  @Test
  void aLogWithoutAMessageIsAnObject() throws Exception {
    assertThat(
            post(PATH, "[{\"a\": 1, \"service\":\"s\", \"message\":{\"b\":[]}},{}]").statusCode())
        .isEqualTo(202);
    assertThat(RunningNode.text(http.node.consume(1)))
        .isEqualTo("{\"a\":1,\"message\":{\"b\":[]}}\n");
  }

  @Test
  void linesOfTextAreALogEach() throws Exception {
    assertThat(post(PATH + "?service=s", "one\ntwo", "content-type", "text/plain").statusCode())
        .isEqualTo(202);
    assertThat(StoredEvent.of(http.node, 2))
        .extracting(StoredEvent::topic, StoredEvent::text)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("s", "one"),
            org.assertj.core.api.Assertions.tuple("s", "two"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "zstd", "identity"})
  void packedLogsAreUnpacked(String coding) throws Exception {
    byte[] body = packed("[{\"message\":\"x\"}]", coding);
    HttpResponse<String> answer =
        http.post(
            PATH,
            body,
            "content-encoding",
            coding,
            "content-type",
            "application/json",
            "dd-api-key",
            "anything");
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(StoredEvent.of(http.node, 1).getFirst().text()).isEqualTo("x");
  }

  private static byte[] packed(String text, String coding) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    if (coding.equals("zstd")) {
      return Zstd.compress(body);
    }
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (coding) {
          case "gzip" -> new GZIPOutputStream(bytes);
          case "deflate" -> new DeflaterOutputStream(bytes);
          default -> bytes;
        }) {
      out.write(body);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [1]                   | expected a log, which is an object
          [{"message":"x"}      | expected JSON
          [{"message":"x"}]x    | expected JSON
          {"message":"x"}{}     | expected nothing after the logs
          {                     | expected JSON
          """)
  void whatIsNoLogIsRefusedInDatadogsForm(String body, String words) throws Exception {
    HttpResponse<String> answer = post(PATH, body, "content-type", "application/json");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).startsWith("{\"errors\":[{\"detail\":\"body: ").contains(words);
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @Test
  void logsThatAreCutOffAnywhereAreRefused() throws Exception {
    String body = "[{\"message\":\"x\",\"timestamp\":1,\"a\":{\"b\":[null]}}]";
    for (int length = 0; length < body.length(); length++) {
      String cut = body.substring(0, length);
      assertThat(post(PATH, cut, "content-type", "application/json").statusCode()).isEqualTo(400);
    }
    byte[] latin = "[{\"message\":\"\u00fc\"}]".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(http.post(PATH, latin).statusCode()).isEqualTo(400);
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, ",
    "1, 1970-01-01T00:00:01Z",
    "18446744073709551615, 2554-07-21T23:34:33.709551615Z",
    "1e99, ",
    "true, "
  })
  void timesFarAwayStandBesideTheText(String time, String expected) throws Exception {
    post(PATH, "{\"message\":\"x\",\"timestamp\":" + time + "}");
    Map<String, String> beside = StoredEvent.of(http.node, 1).getFirst().beside();
    assertThat(beside).containsEntry("timestamp", time);
    assertThat(beside.get("time")).isEqualTo(expected);
  }

  @Test
  void aKeyIsValid() throws Exception {
    assertThat(http.get("/api/v1/validate").body()).isEqualTo("{\"valid\":true}");
  }

  @Test
  void aDiskThatFailsIsNotNowAndLaterItIsTaken() throws Exception {
    failing.set(true);
    HttpResponse<String> answer = post(PATH, "[{\"message\":\"x\"}]");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    assertThat(answer.body()).startsWith("{\"errors\":");
    failing.set(false);
    await().until(() -> post(PATH, "[{\"message\":\"x\"}]").statusCode() == 202);
    assertThat(List.of(http.node.counted("requests", "protocol", "datadog", "outcome", "stored")))
        .containsExactly(1L);
    http.node.assertLedgerIsExact();
  }
}

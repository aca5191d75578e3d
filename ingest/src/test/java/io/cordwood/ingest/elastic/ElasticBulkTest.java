package io.cordwood.ingest.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Elasticsearch's bulk requests: what their senders are answered. */
final class ElasticBulkTest extends ElasticFixture {
  @Test
  void eachActionHasAnItemInItsOrder() throws Exception {
    HttpResponse<String> answer =
        bulk(
            """
            {"create":{"_index":"a"}}
            {"n":1}
            {"delete":{"_index":"a","_id":"1"}}
            {"update":{"_index":"a","_id":"1"}}
            {"doc":{"n":1}}
            {"index":{"_index":"a"}}
            {"n":
            {"index":{"_index":"a"}}
            [1]
            {"index":{"_index":"a"}}
            {"n":2} {}
            {"index":{"_index":"a"}}
            {"n":3}
            """);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(items(answer).replaceAll(",\"error\":\\{[^}]*\\}", ""))
        .isEqualTo(
            "\"errors\":true,\"items\":[{\"create\":{\"_index\":\"a\",\"status\":201}},"
                + "{\"delete\":{\"_index\":\"a\",\"_id\":\"1\",\"status\":400}},"
                + "{\"update\":{\"_index\":\"a\",\"_id\":\"1\",\"status\":400}},"
                + "{\"index\":{\"_index\":\"a\",\"status\":400}},"
                + "{\"index\":{\"_index\":\"a\",\"status\":400}},"
                + "{\"index\":{\"_index\":\"a\",\"status\":400}},"
                + "{\"index\":{\"_index\":\"a\",\"status\":201}}]}");
    assertThat(StoredEvent.of(http.node, 2).stream().map(StoredEvent::text))
        .containsExactly("{\"n\":1}", "{\"n\":3}");
    assertThat(http.node.counted("records_rejected", "reason", "invalid")).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "{",
        "{}",
        "[]",
        "{\"index\":1}",
        "{\"put\":{}}",
        "{\"index\":{}} 1",
        "\"index\"",
        "{\"index\":{\"_index\":\"a\"}"
      })
  void anActionThatCannotBeReadIsAnErrorOfAllBeforeAnythingIsTaken(String action) throws Exception {
    HttpResponse<String> answer = bulk(INDEX + "{\"n\":1}\n" + action + "\n{\"n\":2}\n");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("x-elastic-product")).isPresent();
    assertThat(answer.body())
        .startsWith(
            "{\"error\":{\"root_cause\":[{\"type\":\"illegal_argument_exception\","
                + "\"reason\":\"line 3:")
        .endsWith("},\"status\":400}");
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @Test
  void aDocumentThatIsTooLongIsRefusedAndTheOthersAreNot() throws Exception {
    String fits = "{\"a\":\"" + "x".repeat((1 << 20) - 8) + "\"}";
    String tooLong = "{\"a\":\"" + "x".repeat((1 << 20) - 7) + "\"}";
    String far = "{\"a\":\"" + "x".repeat(5 << 20) + "\"}";
    HttpResponse<String> answer =
        bulk(INDEX + tooLong + "\n" + INDEX + fits + "\n" + INDEX + far + "\n" + INDEX + "{}");
    assertThat(items(answer).replaceAll(",\"error\":\\{[^}]*\\}", "").replaceAll("[^0-9]+", " "))
        .isEqualTo(" 400 201 400 201 ");
    assertThat(answer.body()).contains("found one of " + (tooLong.length() + 1));
    List<StoredEvent> events = StoredEvent.of(http.node, 2);
    assertThat(events.getFirst().text()).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/_bulk,application/x-ndjson",
    "PUT,/_bulk,application/json",
    "PUT,/logs/_bulk,application/vnd.elasticsearch+x-ndjson; compatible-with=9",
    "POST,/logs/_bulk,application/vnd.elasticsearch+json; compatible-with=9",
    "POST,/insert/elasticsearch/_bulk,application/x-www-form-urlencoded",
    "PUT,/insert/elasticsearch/logs/_bulk,text/plain"
  })
  void allPathsMethodsAndTypesAreTaken(String method, String path, String type) throws Exception {
    String action = path.contains("logs") ? "{\"index\":{}}" : INDEX.strip();
    HttpResponse<String> answer =
        http.send(
            method,
            path + "?filter_path=errors&timeout=60s&label.zone=b",
            (action + "\n\n\r\n{\"n\":1}\r\n\n" + action + "\n{\"n\":2}").getBytes(UTF_8),
            "content-type",
            type);
    assertThat(items(answer)).startsWith("\"errors\":false");
    List<StoredEvent> events = StoredEvent.of(http.node, 2);
    assertThat(events.getFirst().text()).isEqualTo("{\"n\":1}");
    assertThat(events.getFirst().labels()).isEqualTo(Map.of("index", "logs", "zone", "b"));
  }

  @Test
  void theTopicOfTheRequestComesFirst() throws Exception {
    http.post("/_bulk?topic=mine", (INDEX + "{}\n").getBytes(UTF_8));
    assertThat(StoredEvent.of(http.node, 1).getFirst().topic()).isEqualTo("mine");
  }

  @Test
  void aBodyInPiecesOfAByteIsRead() throws Exception {
    byte[] body = (INDEX + "{\"n\":1}\n").repeat(3).getBytes(UTF_8);
    try (Socket socket = http.connect()) {
      var out = new ByteArrayOutputStream();
      String head =
          String.join(
              "\r\n",
              "POST /_bulk HTTP/1.1",
              "host: x",
              "connection: close",
              "transfer-encoding: chunked",
              "",
              "");
      out.writeBytes(head.getBytes(UTF_8));
      for (byte each : body) {
        out.writeBytes("1\r\n".getBytes(UTF_8));
        out.write(each);
        out.writeBytes("\r\n".getBytes(UTF_8));
      }
      out.writeBytes("0\r\n\r\n".getBytes(UTF_8));
      socket.getOutputStream().write(out.toByteArray());
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).contains("HTTP/1.1 200").contains("\"errors\":false,\"items\":[");
    }
    assertThat(StoredEvent.of(http.node, 3)).hasSize(3);
  }

  @Test
  void packedBodiesAreUnpackedAndDamagedOnesAreErrorsInJson() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write((INDEX + "{\"n\":1}\n").getBytes(UTF_8));
    }
    byte[] whole = packed.toByteArray();
    assertThat(items(http.post("/_bulk", whole, "content-encoding", "gzip")))
        .startsWith("\"errors\":false");
    for (int length = 0; length < whole.length; length++) {
      HttpResponse<String> answer =
          http.post("/_bulk", java.util.Arrays.copyOf(whole, length), "content-encoding", "gzip");
      assertThat(answer.statusCode()).as("%d bytes", length).isEqualTo(400);
      assertThat(answer.body()).startsWith("{\"error\":{").endsWith("\"status\":400}");
    }
    assertThat(http.post("/_bulk", whole, "content-encoding", "br").statusCode()).isEqualTo(415);
    assertThat(StoredEvent.of(http.node, 1)).hasSize(1);
  }

  @Test
  void aRequestThatIsCutAtAnyByteStoresWhatItIsAnswered() throws Exception {
    byte[] whole = (INDEX + "{\"n\":1}\n" + INDEX + "{\"m\":2}").getBytes(UTF_8);
    long taken = 0;
    for (int length = 0; length <= whole.length; length++) {
      HttpResponse<String> answer = http.post("/_bulk", java.util.Arrays.copyOf(whole, length));
      assertThat(answer.statusCode()).as("%d bytes", length).isIn(200, 400);
      taken +=
          answer.statusCode() == 200 ? answer.body().split("\"status\":201", -1).length - 1 : 0;
    }
    assertThat(StoredEvent.of(http.node, taken)).hasSize((int) taken);
    assertThat(http.node.counted("records_stored")).isEqualTo(taken);
  }

  @ParameterizedTest
  @ValueSource(ints = {99, 101, 100_000})
  void deepDocumentsAreRefusedBeyondAHundredLevels(int depth) throws Exception {
    HttpResponse<String> answer =
        bulk(INDEX + "{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}\n");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(items(answer)).startsWith("\"errors\":" + (depth > 99));
    assertThat(answer.body().length()).isLessThan(1000);
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() throws Exception {
    var body = new ByteArrayOutputStream();
    body.writeBytes((INDEX + "{\"a\":\"").getBytes(UTF_8));
    body.write(0xff);
    body.writeBytes("\"}\n".getBytes(UTF_8));
    assertThat(items(http.post("/_bulk", body.toByteArray()))).startsWith("\"errors\":true");
  }

  @Test
  void manyIndexesAndManyKeysAreTaken() throws Exception {
    var body = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      body.append("{\"index\":{\"_index\":\"i")
          .append(i)
          .append("\"}}\n{\"k")
          .append(i)
          .append("\":1}\n");
    }
    body.append(INDEX).append("{\"k\":0");
    for (int i = 0; i < 50_000; i++) {
      body.append(",\"label").append(i).append("\":1");
    }
    HttpResponse<String> answer = bulk(body.append("}\n").toString());
    assertThat(items(answer)).startsWith("\"errors\":false");
    assertThat(answer.body().split("\"status\":201", -1)).hasSize(202);
    assertThat(StoredEvent.of(http.node, 201)).hasSize(201);
  }

  @Test
  void aNodeThatEndsAnswersForAllOfItToComeAgain() throws Exception {
    http.node.node.stopTaking();
    HttpResponse<String> answer = bulk(INDEX + "{}\n");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    assertThat(answer.headers().firstValue("x-elastic-product")).isPresent();
    assertThat(answer.body()).startsWith("error: ").doesNotContain("{");
  }

  @Test
  void aDiskThatFailsInTheMiddleIsNoSuccess(@TempDir Path other) throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var faulty = new HttpNode(RunningNode.options(other), files)) {
      byte[] body = (INDEX + "{\"a\":\"" + "x".repeat(1000) + "\"}\n").repeat(3000).getBytes(UTF_8);
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = faulty.post("/_bulk", body);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).isPresent();
        assertThat(answer.body()).contains("the disk cannot force").doesNotContain("\"items\"");
      }
      failing.set(false);
      await().until(() -> faulty.post("/_bulk", body).statusCode() == 200);
      faulty.node.assertLedgerIsExact();
    }
  }

  @ParameterizedTest
  @CsvSource({"X-Scope-OrgID,team-a", "AccountID,7", "ProjectID,7"})
  void aTenantThatIsNotKnownIsRefused(String name, String value) throws Exception {
    HttpResponse<String> answer =
        http.post("/_bulk", (INDEX + "{}\n").getBytes(UTF_8), name, value);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(name.toLowerCase(java.util.Locale.ROOT));
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
  }
}

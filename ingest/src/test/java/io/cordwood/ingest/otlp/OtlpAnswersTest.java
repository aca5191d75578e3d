package io.cordwood.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What OTLP over HTTP is answered. */
class OtlpAnswersTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";

  @TempDir Path folder;

  static ExportLogsServiceRequest request(String... texts) {
    var scope = ScopeLogs.newBuilder();
    for (String text : texts) {
      scope.addLogRecords(
          LogRecord.newBuilder().setBody(AnyValue.newBuilder().setStringValue(text)));
    }
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(ResourceLogs.newBuilder().addScopeLogs(scope))
        .build();
  }

  private static HttpResponse<String> post(HttpNode http, byte[] body, String... headers)
      throws Exception {
    return http.post("/v1/logs", body, headers);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aBodyCutOffAtAnyByteIs400InTheTypeOfTheRequest() throws Exception {
    ResourceLogs one = new RandomLogs(5).request(3).getResourceLogs(0);
    var request = ExportLogsServiceRequest.newBuilder().addResourceLogs(one).build();
    byte[] whole = request.toByteArray();
    byte[] json = utf8(new JsonOfOtlp(6).of(request));
    try (var http = new HttpNode(RunningNode.options(folder))) {
      for (int length = 1; length < whole.length; length++) {
        var answer = post(http, Arrays.copyOf(whole, length), "content-type", PROTOBUF);
        assertThat(answer.statusCode()).as("%d: %s", length, answer.body()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).hasValue(PROTOBUF);
      }
      for (int length = 0; length < json.length; length++) {
        var answer = post(http, Arrays.copyOf(json, length), "content-type", JSON);
        assertThat(answer.statusCode()).as("%d: %s", length, answer.body()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"code\":3,\"message\":\"JSON");
      }
      http.node.assertLedgerIsExact();
    }
  }

  @Test
  void whatIsNotAsItMustBeIs400AndSaysWhere() throws Exception {
    String[] bodies = {
      "[]",
      "{\"resourceLogs\":{}}",
      "{\"resourceLogs\":[1]}",
      "{\"resourceLogs\":[{\"resource\":[]}]}",
      "{\"resourceLogs\":[{\"resource\":{},\"resource\":{}}]}",
      records("{\"timeUnixNano\":\"x\"}"),
      records("{\"timeUnixNano\":1.5}"),
      records("{\"timeUnixNano\":99999999999999999999999}"),
      records("{\"body\":\"text\"}"),
      records("{\"body\":{\"intValue\":{}}}"),
      records("{\"body\":{\"bytesValue\":\"*\"}}"),
      records("{\"attributes\":[{\"key\":\"k\",\"value\":{\"boolValue\":true,\"intValue\":1}}]}"),
      records("{\"traceId\":\"nonsense!\"}"),
      records("{\"body\":" + "{\"arrayValue\":{\"values\":[".repeat(60)),
      "{\"a\":".repeat(200),
      "{} {}",
    };
    try (var http = new HttpNode(RunningNode.options(folder))) {
      for (String body : bodies) {
        var answer = post(http, utf8(body), "content-type", JSON);
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
      }
    }
  }

  private static String records(String record) {
    return "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[" + record + "]}]}]}";
  }

  @Test
  void aBodyOfAnotherTypeIsKnownByItsFirstByte() throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      String form = "application/x-www-form-urlencoded";
      var json = utf8(records("{\"body\":{\"stringValue\":\"a\"}}"));
      assertThat(post(http, json, "content-type", form).statusCode()).isEqualTo(200);
      assertThat(post(http, request("b").toByteArray(), "content-type", form).statusCode())
          .isEqualTo(200);
      assertThat(RunningNode.text(http.node.consume(2))).isEqualTo("a\nb\n");
    }
  }

  @Test
  void bytesThatAreNoTextAreKeptAsTheyAre() throws Exception {
    byte[] bad = {(byte) 0xff, 'a', (byte) 0xc3};
    byte[] sent = request("xyz").toByteString().toByteArray();
    int at = sent.length - 3;
    System.arraycopy(bad, 0, sent, at, 3);
    try (var http = new HttpNode(RunningNode.options(folder))) {
      assertThat(post(http, sent, "content-type", PROTOBUF).statusCode()).isEqualTo(200);
      assertThat(RunningNode.bytes(http.node.consume(1)))
          .isEqualTo(new byte[] {(byte) 0xff, 'a', (byte) 0xc3, '\n'});
    }
  }

  @Test
  void aRecordThatIsTooLongIsRejectedAndTheOthersAreStored() throws Exception {
    String longest = "x".repeat(LogEvents.MAX_BYTES);
    try (var http = new HttpNode(RunningNode.options(folder))) {
      byte[] some = request("a", longest, "b").toByteArray();
      HttpResponse<String> answer = post(http, some, "content-type", PROTOBUF);
      assertThat(answer.statusCode()).isEqualTo(200);
      var partial =
          ExportLogsServiceResponse.parseFrom(
                  ByteString.copyFrom(answer.body(), StandardCharsets.ISO_8859_1))
              .getPartialSuccess();
      assertThat(partial.getRejectedLogRecords()).isEqualTo(1);
      assertThat(partial.getErrorMessage()).contains("16777216 bytes");
      assertThat(RunningNode.text(http.node.consume(2))).isEqualTo("a\nb\n");
      byte[] none = request(longest).toByteArray();
      assertThat(post(http, none, "content-type", PROTOBUF).statusCode()).isEqualTo(413);
      assertThat(http.node.counted("partially_rejected_records")).isEqualTo(1);
    }
  }

  @Test
  void valuesThatAreTooDeepAre400() throws Exception {
    UnaryOperator<ByteString> list =
        value -> field(6, field(1, field(1, ByteString.copyFromUtf8("k")).concat(field(2, value))));
    UnaryOperator<ByteString> turned =
        value -> field(6, field(1, field(2, value).concat(field(1, ByteString.copyFromUtf8("k")))));
    try (var http = new HttpNode(RunningNode.options(folder))) {
      for (UnaryOperator<ByteString> one : List.of(list, turned)) {
        ByteString value = ByteString.EMPTY;
        for (int i = 0; i < 30; i++) {
          value = one.apply(value);
        }
        assertThat(post(http, record(field(5, value))).statusCode()).isEqualTo(200);
        for (int i = 0; i < 3000; i++) {
          value = one.apply(value);
        }
        assertThat(post(http, record(field(5, value))).statusCode()).isEqualTo(400);
        ByteString attribute = field(6, field(2, value).concat(field(1, ByteString.EMPTY)));
        assertThat(post(http, record(attribute)).statusCode()).isEqualTo(400);
      }
    }
  }

  @Test
  void aSenderThatHasAMillionAttributesIsRefused() throws Exception {
    var resource = Resource.newBuilder();
    var value = AnyValue.newBuilder().setIntValue(1);
    for (int i = 0; i < 1_000_000; i++) {
      resource.addAttributes(KeyValue.newBuilder().setKey("a" + i).setValue(value));
    }
    var logs = ResourceLogs.newBuilder().setResource(resource);
    byte[] body = ExportLogsServiceRequest.newBuilder().addResourceLogs(logs).build().toByteArray();
    try (var http = new HttpNode(RunningNode.options(folder))) {
      assertThat(post(http, body).statusCode()).isEqualTo(413);
      http.node.assertLedgerIsExact();
    }
  }

  @Test
  void veryManyEmptyRecordsBeforeTheirResourceAreRefused() throws Exception {
    byte[] records = new byte[1 << 20];
    for (int i = 0; i < records.length; i += 2) {
      records[i] = 0x12; // A log record of no bytes.
    }
    ByteString logs = field(1, field(2, ByteString.copyFrom(records)));
    try (var http = new HttpNode(RunningNode.options(folder))) {
      HttpResponse<String> answer = post(http, logs.toByteArray());
      assertThat(answer.statusCode()).isEqualTo(413);
      assertThat(answer.body()).contains("found no resource");
      http.node.assertLedgerIsExact();
    }
  }

  private static ByteString field(int number, ByteString message) {
    var field = UnknownFieldSet.Field.newBuilder().addLengthDelimited(message).build();
    return UnknownFieldSet.newBuilder().addField(number, field).build().toByteString();
  }

  private static byte[] record(ByteString message) {
    return field(1, field(2, field(2, message))).toByteArray();
  }

  @Test
  void aTenantThatIsNotUnderstoodIsRefused() throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      byte[] body = request("a").toByteArray();
      assertThat(post(http, body, "X-Scope-OrgID", "team-a").statusCode()).isEqualTo(400);
      assertThat(post(http, body, "AccountID", "0").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aDiskThatCannotForceIsNotNow() throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var http = new HttpNode(RunningNode.options(folder), files)) {
      for (int i = 0; i < 2; i++) {
        var answer = post(http, request("a").toByteArray(), "content-type", PROTOBUF);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).hasValue("5");
      }
      failing.set(false);
      await()
          .until(() ->
              post(http, request("b").toByteArray(), "content-type", PROTOBUF).statusCode() == 200);
    }
  }

  @Test
  void topicAndLabelsOfTheRequestHoldForAll() throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      for (String path : new String[] {"/insert/opentelemetry/v1/logs", "/otlp/v1/logs"}) {
        var answer = http.post(path + "?topic=mine&label.dc=eu&x=y", request("a").toByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      assertThat(http.node.consume(2))
          .allMatch(batch -> batch.topic().name().equals("mine"))
          .allMatch(batch -> batch.labels().pairs().equals(Map.of("dc", "eu")));
    }
  }
}

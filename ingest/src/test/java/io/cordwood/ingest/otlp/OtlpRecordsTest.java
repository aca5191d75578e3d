package io.cordwood.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNodeFixture;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What log records of OTLP become, and that they can be built again from that. */
class OtlpRecordsTest extends HttpNodeFixture {
  private static final String PROTOBUF = "application/x-protobuf";

  private HttpResponse<String> post(byte[] body, String type) throws Exception {
    return http.post("/v1/logs", body, "content-type", type);
  }

  private void assertRebuilt(ExportLogsServiceRequest sent, int records) throws Exception {
    List<RebuiltLog> rebuilt = RebuiltLog.of(http.node.consume(records));
    List<RebuiltLog> expected = RebuiltLog.of(sent);
    for (int i = 0; i < records; i++) {
      assertThat(rebuilt.get(i)).isEqualTo(expected.get(i));
    }
    assertThat(rebuilt).hasSize(records);
  }

  @Test
  void anyLogRecordInProtobufCanBeBuiltAgain() throws Exception {
    var random = new RandomLogs(11);
    ExportLogsServiceRequest request = random.request(400);
    HttpResponse<String> answer = post(request.toByteArray(), PROTOBUF);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("content-type")).hasValue(PROTOBUF);
    assertRebuilt(request, 400);
  }

  @Test
  void anyLogRecordInJsonCanBeBuiltAgain() throws Exception {
    var random = new RandomLogs(12);
    ExportLogsServiceRequest request = random.request(400);
    String json = new JsonOfOtlp(13).of(request);
    HttpResponse<String> answer = post(json.getBytes(StandardCharsets.UTF_8), "application/json");
    assertThat(answer.body()).isEqualTo("{}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertRebuilt(request, 400);
  }

  @Test
  void whatComesAfterItsRecordsHoldsForThem() throws Exception {
    var random = new RandomLogs(14);
    ExportLogsServiceRequest request = random.request(50);
    ByteString turned = ByteString.EMPTY;
    for (ResourceLogs resource : request.getResourceLogsList()) {
      ByteString scopes = ByteString.EMPTY;
      for (ScopeLogs scope : resource.getScopeLogsList()) {
        ByteString records = scope.toBuilder().clearScope().build().toByteString();
        ByteString last = ScopeLogs.newBuilder().setScope(scope.getScope()).build().toByteString();
        scopes = scopes.concat(field(2, records.concat(last)));
      }
      ByteString last =
          ResourceLogs.newBuilder().setResource(resource.getResource()).build().toByteString();
      turned = turned.concat(field(1, scopes.concat(last)));
    }
    assertThat(post(turned.toByteArray(), PROTOBUF).statusCode()).isEqualTo(200);
    assertRebuilt(request, 50);
  }

  private static ByteString field(int number, ByteString message) {
    var field = UnknownFieldSet.Field.newBuilder().addLengthDelimited(message).build();
    return UnknownFieldSet.newBuilder().addField(number, field).build().toByteString();
  }

  @Test
  void theRecordIsTheTextWithTheRestBesideIt() throws Exception {
    String json =
        """
        {"resourceLogs":[{"resource":{"attributes":[
            {"key":"service.name","value":{"stringValue":"shop"}},
            {"key":"process.pid","value":{"intValue":"17"}}]},
          "scopeLogs":[{"scope":{"name":"com.example.Pay"},"logRecords":[
            {"severityNumber":17,"severityText":"ERROR","body":{"stringValue":"payment failed"},
             "traceId":"5b8efff798038103d269b633813fc60c",
             "attributes":[{"key":"order.id","value":{"intValue":42}},
                           {"key":"severity","value":{"boolValue":true}}]},
            {"severityNumber":9,"body":{"kvlistValue":{"values":[
               {"key":"b","value":{"stringValue":"x"}},{"key":"a","value":{"doubleValue":1}}]}}}
          ]}]}]}
        """;
    assertThat(post(json.getBytes(StandardCharsets.UTF_8), "application/json").statusCode())
        .isEqualTo(200);
    var batch = http.node.consume(2).getFirst();
    assertThat(batch.topic().name()).isEqualTo("shop");
    assertThat(batch.labels().pairs())
        .containsEntry("process.pid", "17")
        .containsEntry("service.name", "shop");
    assertThat(StoredEvent.texts(batch))
        .containsExactly(
            "payment failed  {\"severity\":\"ERROR\","
                + "\"trace_id\":\"5b8efff798038103d269b633813fc60c\","
                + "\"logger\":\"com.example.Pay\",\"order.id\":42,\"attr.severity\":true}",
            "{\"b\":\"x\",\"a\":1.0}  {\"severity_number\":9,"
                + "\"logger\":\"com.example.Pay\",\"body\":\"json\"}");
  }

  @Test
  void aRequestOfNothingIsTaken() throws Exception {
    assertThat(post(new byte[0], PROTOBUF).statusCode()).isEqualTo(200);
    assertThat(post("{}".getBytes(StandardCharsets.UTF_8), "application/json").body())
        .isEqualTo("{}");
    var empty =
        ExportLogsServiceRequest.newBuilder()
            .addResourceLogs(
                ResourceLogs.newBuilder()
                    .addScopeLogs(
                        ScopeLogs.newBuilder().addLogRecords(LogRecord.getDefaultInstance())))
            .build();
    assertThat(post(empty.toByteArray(), PROTOBUF).statusCode()).isEqualTo(200);
  }
}

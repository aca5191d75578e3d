package io.cordwood.ingest.node;

import io.cordwood.common.http.ForeignPaths;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Requests with several records, and what their answers say, of each protocol over HTTP. */
enum PushedBatch {
  LINES("/ingest", "TEXT\n"),
  JSON_LINES("/insert/jsonline", "{\"_msg\":\"TEXT\"}\n"),
  HEC_EVENT("/services/collector/event", "{\"event\":\"TEXT\"}"),
  HEC_RAW("/services/collector/raw", "TEXT\n"),
  DATADOG("/api/v2/logs", "[", "{\"message\":\"TEXT\"}", "]"),
  ELASTIC("/_bulk", "{\"create\":{\"_index\":\"x\"}}\n{\"message\":\"TEXT\"}\n"),
  GELF("/gelf", "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"TEXT\"}"),
  LOKI(
      "/loki/api/v1/push",
      "{\"streams\":[{\"stream\":{\"app\":\"x\"},\"values\":[",
      "[\"TIME\",\"TEXT\"]",
      "]}]}"),
  OTLP_HTTP(
      "/v1/logs",
      "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[",
      "{\"body\":{\"stringValue\":\"TEXT\"}}",
      "]}]}]}"),
  OTLP_GRPC(ForeignPaths.OTLP_GRPC, "");

  private static final int GRPC_HEAD_BYTES = 5;

  /** Statuses of gRPC by which a call is to be tried again. */
  private static final Set<String> GRPC_LATER = Set.of("8", "14");

  private final String path;
  private final String begin;
  private final String record;
  private final String end;

  PushedBatch(String path, String begin, String record, String end) {
    this.path = path;
    this.begin = begin;
    this.record = record;
    this.end = end;
  }

  PushedBatch(String path, String record) {
    this(path, "", record, "");
  }

  Request to(int port, List<String> texts) {
    var request = new Request.Builder().url("http://127.0.0.1:" + port + path);
    if (this == OTLP_GRPC) {
      return request
          .header("te", "trailers")
          .post(RequestBody.create(framed(texts), MediaType.get("application/grpc")))
          .build();
    }
    String time = System.currentTimeMillis() + "000000";
    String body =
        texts.stream()
            .map(text -> record.replace("TIME", time).replace("TEXT", text))
            .collect(Collectors.joining(end.isEmpty() ? "" : ",", begin, end));
    return request
        .post(
            RequestBody.create(
                body.getBytes(StandardCharsets.UTF_8), MediaType.get("application/json")))
        .build();
  }

  private static byte[] framed(List<String> texts) {
    var scope = ScopeLogs.newBuilder();
    for (String text : texts) {
      scope.addLogRecords(
          LogRecord.newBuilder().setBody(AnyValue.newBuilder().setStringValue(text)));
    }
    byte[] message =
        ExportLogsServiceRequest.newBuilder()
            .addResourceLogs(ResourceLogs.newBuilder().addScopeLogs(scope))
            .build()
            .toByteArray();
    return ByteBuffer.allocate(GRPC_HEAD_BYTES + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /**
   * Whether all records are stored; otherwise the request is to be sent again.
   *
   * @throws IOException if the answer breaks off
   * @throws AssertionError if it is neither
   */
  boolean isTaken(Response answer) throws IOException {
    String body = answer.body().string();
    if (this == OTLP_GRPC && answer.code() == 200) {
      String inHeaders = answer.header("grpc-status");
      String status =
          inHeaders == null ? String.valueOf(answer.trailers().get("grpc-status")) : inHeaders;
      if (status.equals("0") && body.length() == GRPC_HEAD_BYTES) {
        return true;
      }
      if (GRPC_LATER.contains(status)) {
        return false;
      }
    } else if (answer.code() == 503) {
      return false;
    } else if (answer.isSuccessful()
        && !body.contains("\"errors\":true")
        && !body.contains("partialSuccess")) {
      return true;
    }
    throw new AssertionError(this + " was answered " + answer + ": " + body);
  }
}

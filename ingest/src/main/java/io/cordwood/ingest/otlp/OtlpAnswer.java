package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.json.Json;
import io.cordwood.ingest.event.Beside;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Success in the words of OTLP, in the encoding of the request: empty if there is nothing to say.
 */
enum OtlpAnswer {
  JSON(Json.TYPE),
  PROTOBUF("application/x-protobuf");

  private final String type;

  OtlpAnswer(String type) {
    this.type = type;
  }

  /** All was stored, or all but some that never can be. */
  void success(Rejected rejected, Response response) throws IOException {
    byte[] body =
        switch (this) {
          case JSON -> partialAsJson(rejected);
          case PROTOBUF -> partial(rejected);
        };
    send(200, body, response);
  }

  private void send(int status, byte[] body, Response response) throws IOException {
    response.status(status).header("content-type", type).contentLength(body.length);
    try (OutputStream out = response.body()) {
      out.write(body);
    }
  }

  /** Success over gRPC, in one frame. */
  static void grpc(Rejected rejected, Response response) throws IOException {
    byte[] message = partial(rejected);
    response.header("content-type", "application/grpc").trailer("grpc-status", "0");
    try (OutputStream out = response.body()) {
      out.write(ByteBuffer.allocate(1 + Integer.BYTES).putInt(1, message.length).array());
      out.write(message);
    }
  }

  /** An ExportLogsServiceResponse. */
  private static byte[] partial(Rejected rejected) {
    var answer = new ProtoWriter();
    if (rejected.count() > 0) {
      int begun = answer.begin(1);
      answer.varint(1, rejected.count());
      answer.bytes(2, rejected.why().getBytes(StandardCharsets.UTF_8));
      answer.end(begun);
    }
    return Arrays.copyOf(answer.bytes(), answer.size());
  }

  private static byte[] partialAsJson(Rejected rejected) {
    var answer = new Beside();
    if (rejected.count() > 0) {
      answer
          .name("partialSuccess")
          .begin('{')
          .add("rejectedLogRecords", Long.toString(rejected.count()))
          .add("errorMessage", rejected.why())
          .end('}');
    }
    return object(answer);
  }

  private static byte[] object(Beside pairs) {
    return new Beside().begin('{').addAll(pairs).end('}').value();
  }
}

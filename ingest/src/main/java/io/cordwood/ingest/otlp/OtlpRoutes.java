package io.cordwood.ingest.otlp;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.PeekedBody;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.util.Locale;

/**
 * OpenTelemetry's logs, over HTTP and gRPC: success once all log records are as safe as they are to
 * be.
 *
 * <pre>
 *                       HTTP                     gRPC
 *   stored              200                      0
 *   some never can be   200, partial_success     0, partial_success
 *   not now             503 with retry-after     14 UNAVAILABLE with RetryInfo
 *   never               400, 403, 413            3 INVALID_ARGUMENT, 7, 8
 * </pre>
 */
public final class OtlpRoutes {
  private final EventRequests requests;
  private final OtlpRejections rejections;

  public OtlpRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "otlp");
    this.rejections = new OtlpRejections(ports.intake().metrics().registry);
  }

  public void addTo(Routes routes) {
    for (String path : ForeignPaths.OTLP) {
      routes.on("POST", path, Params.ANY, Long.MAX_VALUE, this::http);
    }
    routes.on("POST", ForeignPaths.OTLP_GRPC, Params.ANY, Long.MAX_VALUE, this::grpc);
  }

  private void http(Request request, Response response) throws IOException {
    String type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    OtlpAnswer answer = type.contains("json") ? OtlpAnswer.JSON : OtlpAnswer.PROTOBUF;
    refuseSnappy(request);
    answer.success(read(request, response, type), response);
  }

  /** Its frames are not those of Loki's blocks. */
  private static void refuseSnappy(Request request) {
    if (request.header("content-encoding").orElse("").contains("snappy")) {
      throw new HttpError(
          415, "content-encoding: expected gzip, zstd, deflate or none, found snappy");
    }
  }

  private void grpc(Request request, Response response) throws IOException {
    response.header("grpc-accept-encoding", "identity,gzip,deflate,zstd");
    String type = request.header("content-type").orElse("");
    if (!type.startsWith("application/grpc")) {
      throw new HttpError(415, "content-type: expected application/grpc, found " + type);
    }
    OtlpAnswer.grpc(read(request, response, "protobuf"), response);
  }

  private Rejected read(Request request, Response response, String type) throws IOException {
    var rejected = new Rejected();
    requests.take(
        request,
        response,
        (body, origins, events) -> {
          var logs = new LogEvents(origins, events, rejected);
          var start = new PeekedBody(body);
          if (isJson(type, start)) {
            JsonRequest.read(start, logs);
          } else {
            ProtobufRequest.read(start, logs);
          }
          rejected.check();
        });
    rejections.count(request, rejected);
    return rejected;
  }

  /** A body whose type says neither, such as that of a form, is known by its first byte. */
  private static boolean isJson(String type, PeekedBody body) throws IOException {
    if (type.contains("json") || type.contains("protobuf")) {
      return type.contains("json");
    }
    return body.first() == '{';
  }
}

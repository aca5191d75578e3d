package io.cordwood.ingest.loki;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.event.PeekedBody;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Loki's push API: answers 204 once all entries are as safe as they are to be, 503 with {@code
 * retry-after} for not now, all else for never.
 */
public final class LokiRoutes {
  /** Blocks are unpacked whole. */
  static final int MAX_BLOCK_BYTES = 64 << 20;

  private final EventRequests requests;
  private final BufferedBytesLimit held;

  public LokiRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "loki");
    this.held = ports.intake().held();
  }

  public void addTo(Routes routes) {
    for (String path : new String[] {ForeignPaths.LOKI_PUSH, ForeignPaths.VICTORIA_LOKI}) {
      routes.on("POST", path, Params.ANY, Long.MAX_VALUE, this::push);
    }
  }

  private void push(Request request, Response response) throws IOException {
    String type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    requests.take(
        request,
        response,
        (body, origins, events) -> {
          var start = new PeekedBody(body);
          if (isJson(type, start)) {
            EventJson.read(start, json -> new LokiJson(json, origins, events).read());
          } else {
            readBlock(start, origins, events);
          }
        });
    response.text(204, "");
  }

  /** A type that says neither, such as that of a form, leaves it to the first byte. */
  private static boolean isJson(String type, PeekedBody body) throws IOException {
    if (type.contains("json") || type.contains("protobuf")) {
      return type.contains("json");
    }
    int first = body.first();
    return first == '{' || Character.isWhitespace(first);
  }

  private void readBlock(InputStream body, EventOrigins origins, Events events)
      throws IOException, RefusedException {
    try (var block = new SnappyBlock(body, held, MAX_BLOCK_BYTES)) {
      new LokiProtobuf(block.unpack(), origins, events).read();
    }
  }
}

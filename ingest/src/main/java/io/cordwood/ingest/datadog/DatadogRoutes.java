package io.cordwood.ingest.datadog;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.json.Json;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventLines;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.event.PeekedBody;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Datadog's API for logs: answers 202 once all are as safe as they are to be, 503 with {@code
 * retry-after} for not now, all else for never.
 */
public final class DatadogRoutes {
  private final EventRequests requests;

  public DatadogRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "datadog");
  }

  public void addTo(Routes routes) {
    for (String path : ForeignPaths.DATADOG) {
      routes.on("POST", path, Params.ANY, Long.MAX_VALUE, this::push);
    }
    routes.on(
        "GET",
        ForeignPaths.DATADOG_VALIDATE,
        Params.ANY,
        0,
        (_, response) -> answer(response, 200, "{\"valid\":true}"));
  }

  private void push(Request request, Response response) throws IOException {
    String type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    Map<String, String> given = given(request);
    requests.take(
        request,
        response,
        (body, origins, events) -> {
          var start = new PeekedBody(body);
          if (isJson(type, start)) {
            EventJson.read(start, json -> new DatadogLogs(json, given, origins, events).read());
          } else {
            lines(start, given, origins, events);
          }
        });
    answer(response, 202, "{}");
  }

  private static Map<String, String> given(Request request) {
    var given = new LinkedHashMap<String, String>();
    for (String name : DatadogLogs.OF_SENDERS) {
      request.params(name).stream().findFirst().ifPresent(value -> given.put(name, value));
    }
    return given;
  }

  /** A type that says nothing leaves it to the first byte. */
  private static boolean isJson(String type, PeekedBody body) throws IOException {
    if (type.contains("json") || type.startsWith("text/")) {
      return type.contains("json");
    }
    int first = body.first();
    return first == '[' || first == '{';
  }

  private static void lines(
      InputStream body, Map<String, String> given, EventOrigins origins, Events events)
      throws IOException, RefusedException {
    var labels = new LinkedHashMap<>(given);
    DatadogTags.addTo(labels);
    EventOrigin origin = origins.of(labels);
    var beside = new Beside();
    new EventLines((bytes, from, to) ->
        events.add(origin, EventTime.NONE, bytes, from, to, beside.clear()))
        .read(body);
  }

  private static void answer(Response response, int status, String json) throws IOException {
    response.header("content-type", Json.TYPE);
    response.text(status, json);
  }
}

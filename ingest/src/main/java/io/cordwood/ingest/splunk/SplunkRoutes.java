package io.cordwood.ingest.splunk;

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
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.push.PushSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Splunk's HTTP Event Collector, answered as Splunk does.
 *
 * <pre>
 *   200  {"text":"Success","code":0}          all events are as safe as they are to be
 *   503  {"text":"Server is busy","code":9}   not now
 *   400  {"text":"…","code":5, 6, 12 or 13}   never
 *   400  {"text":"ACK is disabled","code":14} of /services/collector/ack
 * </pre>
 */
public final class SplunkRoutes {
  private static final List<String> OF_SENDERS = List.of("host", "source", "sourcetype", "index");

  private final EventRequests requests;
  private final PushPorts ports;

  public SplunkRoutes(PushPorts ports) {
    this.ports = ports;
    this.requests = new EventRequests(ports, "splunk");
  }

  public void addTo(Routes routes) {
    for (String path : ForeignPaths.SPLUNK) {
      boolean isRaw = path.contains("/raw");
      routes.on("POST", path, Params.ANY, Long.MAX_VALUE, isRaw ? this::raw : this::events);
      routes.on("OPTIONS", path, Params.ANY, 0, SplunkRoutes::options);
    }
    for (String path : ForeignPaths.SPLUNK_HEALTH) {
      routes.on("GET", path, Params.ANY, 0, this::health);
      routes.on("OPTIONS", path, Params.ANY, 0, SplunkRoutes::options);
    }
    routes.on("POST", ForeignPaths.SPLUNK_ACK, Params.ANY, Long.MAX_VALUE, SplunkRoutes::ack);
  }

  private void events(Request request, Response response) throws IOException {
    take(
        request,
        response,
        (body, origins, events) ->
            EventJson.read(body, json -> new SplunkEvents(json, origins, events).read()));
  }

  /** Each line is an event; parameters describe the sender. */
  private void raw(Request request, Response response) throws IOException {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String name : OF_SENDERS) {
      request.params(name).stream().findFirst().ifPresent(value -> labels.put(name, value));
    }
    take(
        request,
        response,
        (body, origins, events) -> {
          EventOrigin origin = origins.of(labels);
          var beside = new Beside();
          new EventLines((bytes, from, to) ->
              events.add(origin, EventTime.NONE, bytes, from, to, beside.clear()))
              .read(body);
        });
  }

  private void take(Request request, Response response, EventRequests.Reader reader)
      throws IOException {
    try {
      requests.take(request, response, reader);
      answer(response, 200, 0, "Success");
    } catch (SplunkError e) {
      answer(response, 400, e.code(), String.valueOf(e.getMessage()));
    }
  }

  private static void options(Request request, Response response) throws IOException {
    response.header("allow", request.path().contains("health") ? "GET,OPTIONS" : "POST,OPTIONS");
    response.text(200, "");
  }

  private static void ack(Request request, Response response) throws IOException {
    answer(response, 400, 14, "ACK is disabled: an answer of 200 comes after the force");
  }

  private void health(Request request, Response response) throws IOException {
    var rights = ports.rights(request.address(), request.path());
    try (PushSession _ = ports.open(rights, Mode.DURABLE, Duration.ZERO)) {
      answer(response, 200, 17, "HEC is healthy");
    } catch (RefusedException e) {
      response.retryAfter(PushPorts.RETRY_SECONDS);
      answer(response, 503, 18, "HEC is unhealthy: " + e.getMessage());
    }
  }

  private static void answer(Response response, int status, int code, String text)
      throws IOException {
    byte[] body = new Beside().add("text", text).add("code", code).toBytes();
    response.header("content-type", Json.TYPE);
    response.text(status, new String(body, StandardCharsets.UTF_8));
  }
}

package io.cordwood.ingest.jsonline;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.event.EventLines;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lines of JSON as VictoriaLogs takes them: answers 200 once all are as safe as they are to be.
 *
 * <pre>
 *   _stream_fields=NAME,NAME   fields that become labels; a.b for b within a
 *   _time_field=NAME,NAME      fields of which the first is the time; _time by default
 * </pre>
 *
 * Its other parameters change nothing, since lines stay as they are.
 */
public final class JsonLineRoutes {
  private static final String TIME = "_time";

  private final EventRequests requests;

  public JsonLineRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "jsonline");
  }

  public void addTo(Routes routes) {
    routes.on("POST", ForeignPaths.JSON_LINE, Params.ANY, Long.MAX_VALUE, this::push);
  }

  private void push(Request request, Response response) throws IOException {
    Set<String> labels = names(fields(request, "stream"));
    Set<String> times = names(fields(request, "time").or(() -> Optional.of(TIME)));
    requests.take(
        request,
        response,
        (body, origins, events) -> {
          var line = new JsonLine(labels, times, origins, events);
          new EventLines(line::add).read(body);
        });
    response.text(200, "");
  }

  /** A parameter, or else the header that says the same. */
  private static Optional<String> fields(Request request, String what) {
    String parameter = what.equals("stream") ? "_stream_fields" : "_time_field";
    String header = what.equals("stream") ? "vl-stream-fields" : "vl-time-field";
    return request.param(parameter).or(() -> request.header(header)).filter(it -> !it.isBlank());
  }

  private static Set<String> names(Optional<String> list) {
    var names = new LinkedHashSet<String>();
    list.ifPresent(text -> Arrays.stream(text.split(",")).map(String::strip).forEach(names::add));
    return names;
  }
}

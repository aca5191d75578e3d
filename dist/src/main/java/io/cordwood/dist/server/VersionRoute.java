package io.cordwood.dist.server;

import io.cordwood.cli.program.Version;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;

/** {@code GET /version}: of what build a node is; a metric says the same. */
final class VersionRoute {
  private static final String JSON = "application/json";

  private VersionRoute() {}

  static void addTo(Routes routes, MeterRegistry registry) {
    routes.get(ApiPaths.VERSION, Params.of(ApiParams.FORMAT), VersionRoute::answer);
    Gauge.builder("cordwood.build.info", () -> 1)
        .description("Always 1; of what build the node is")
        .tags("version", Version.text(), "commit", Version.commit())
        .register(registry);
  }

  private static void answer(Request request, Response response) throws IOException {
    boolean accepted = request.header("accept").filter(types -> types.contains(JSON)).isPresent();
    String format = request.param(ApiParams.FORMAT).orElse(accepted ? "json" : "text");
    switch (format) {
      case "text" ->
          response.text(200, "cordwood %s %s%n".formatted(Version.text(), Version.commit()));
      case "json" -> {
        response.header("content-type", JSON);
        response.text(
            200,
            "{\"name\":\"cordwood\",\"version\":\"%s\",\"commit\":\"%s\"}%n"
                .formatted(Version.text(), Version.commit()));
      }
      default ->
          throw new HttpError(
              400, "parameter format: expected text or json, found '" + format + "'");
    }
  }
}

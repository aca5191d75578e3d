package io.cordwood.dist.server;

import io.cordwood.cli.program.Version;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;

/** {@code GET /version}: of what build a node is; a metric says the same. */
final class VersionRoute {
  private VersionRoute() {}

  static void addTo(Routes routes, MeterRegistry registry) {
    routes.get(ApiPaths.VERSION, Params.of(ApiParams.FORMAT), VersionRoute::answer);
    Gauge.builder("cordwood.build.info", () -> 1)
        .description("Always 1; of what build the node is")
        .tags("version", Version.text(), "commit", Version.commit())
        .register(registry);
  }

  private static void answer(Request request, Response response) throws IOException {
    if (request.wantsJson()) {
      response.json(json -> {
        json.writeStringProperty("name", "cordwood");
        json.writeStringProperty("version", Version.text());
        json.writeStringProperty("commit", Version.commit());
      });
    } else {
      response.text(200, "cordwood %s %s%n".formatted(Version.text(), Version.commit()));
    }
  }
}

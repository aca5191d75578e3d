package io.cordwood.common.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** The routes of every node: its metrics and its health. */
public final class StandardRoutes {
  /** Alive: the process answers. */
  private static final List<String> ALIVE = List.of(ApiPaths.HEALTHY, "/livez", "/health");

  /** Ready: the process can do its work; 503 otherwise. */
  private static final List<String> READY = List.of(ApiPaths.READY, "/readyz");

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private StandardRoutes() {}

  /**
   * Adds them, for GET and HEAD. What probes and scrapers say besides, such as {@code ?verbose},
   * changes nothing.
   */
  public static void addTo(
      Routes routes, PrometheusMeterRegistry registry, Supplier<Health> health) {
    both(routes, ApiPaths.METRICS, (_, response) -> scrape(registry, response));
    ALIVE.forEach(path -> both(routes, path, (_, response) -> response.text(200, "ok\n")));
    READY.forEach(path -> both(routes, path, (_, response) -> ready(health.get(), response)));
  }

  private static void both(Routes routes, String path, Handler handler) {
    routes.get(path, Params.ANY, handler).head(path, Params.ANY, handler);
  }

  private static void scrape(PrometheusMeterRegistry registry, Response response)
      throws IOException {
    response.header("content-type", PROMETHEUS_TEXT);
    response.body().write(registry.scrape().getBytes(StandardCharsets.UTF_8));
  }

  private static void ready(Health health, Response response) throws IOException {
    if (!health.ready()) {
      throw new HttpError(503, "not ready: " + health.reason());
    }
    response.text(200, health.reason() + "\n");
  }
}

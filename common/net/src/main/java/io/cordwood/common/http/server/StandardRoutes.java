package io.cordwood.common.http.server;

import io.cordwood.common.http.ApiPaths;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The routes of every node: its metrics and its health. */
public final class StandardRoutes {
  /** Alive: the process answers, and what it needs to do its work lives. */
  private static final List<String> ALIVE = List.of(ApiPaths.HEALTHY, "/livez", "/health");

  /** Ready: the process can do its work; 503 otherwise. */
  private static final List<String> READY = List.of(ApiPaths.READY, "/readyz", "/ready");

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private static final Set<String> PATHS =
      Stream.of(ALIVE, READY, List.of(ApiPaths.METRICS))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableSet());

  private StandardRoutes() {}

  /** Whether a request, with its parameters, is for one of these. */
  static boolean isFor(String uri) {
    int query = uri.indexOf('?');
    return PATHS.contains(query < 0 ? uri : uri.substring(0, query));
  }

  /**
   * Adds them, for GET and HEAD. What probes and scrapers say besides, such as {@code ?verbose},
   * changes nothing.
   *
   * @param health whether the node can do its work now
   * @param death why it has to be restarted to do it again; empty if that is not so
   */
  public static void addTo(
      Routes routes,
      PrometheusMeterRegistry registry,
      Supplier<Health> health,
      Supplier<Optional<String>> death) {
    both(routes, ApiPaths.METRICS, (_, response) -> scrape(registry, response));
    ALIVE.forEach(path -> both(routes, path, (_, response) -> alive(death.get(), response)));
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

  private static void alive(Optional<String> death, Response response) throws IOException {
    if (death.isPresent()) {
      throw new HttpError(503, "not healthy: " + death.get());
    }
    response.text(200, "ok\n");
  }

  private static void ready(Health health, Response response) throws IOException {
    if (!health.ready()) {
      throw new HttpError(503, "not ready: " + health.reason());
    }
    response.text(200, health.reason() + "\n");
  }
}

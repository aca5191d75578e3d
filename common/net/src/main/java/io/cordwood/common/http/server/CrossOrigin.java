package io.cordwood.common.http.server;

import io.cordwood.common.http.server.Routes.Match;
import io.cordwood.common.http.server.Routes.Refused;
import io.cordwood.common.http.server.Routes.Route;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Rights of web pages of the other origins that the operator named: they may ask, as the Fetch
 * standard's CORS has it, and change nothing.
 */
final class CrossOrigin {
  /** How long a browser need not ask again whether it may ask. */
  private static final String MAX_AGE_SECONDS = "600";

  private static final String REQUEST_HEADERS = "authorization, content-type";

  private CrossOrigin() {}

  /**
   * A browser's question whether it may ask is answered here; what changes something is refused.
   */
  static Match match(HttpRequest head, Hosts hosts, Routes routes, String path) {
    HttpHeaders headers = head.headers();
    boolean foreign = hosts.origins().contains(headers.get(HttpHeaderNames.ORIGIN, ""));
    String asked = headers.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
    boolean preflight = foreign && asked != null && head.method().equals(HttpMethod.OPTIONS);
    Match match = routes.find(preflight ? asked : head.method().name(), path);
    if (!foreign || !(match instanceof Route route)) {
      return match;
    }
    if (!route.readOnly()) {
      return new Refused(
          new HttpError(403, path + ": expected no Origin, since pages may only ask"));
    }
    return preflight
        ? new Route(new Endpoint(path, Params.ANY), 0, true, CrossOrigin::allow)
        : match;
  }

  /** Whether it only asks what it may ask: a browser sends no token with that. */
  static boolean isPreflight(HttpRequest head) {
    return head.method().equals(HttpMethod.OPTIONS);
  }

  private static void allow(Request request, Response response) {
    response
        .status(204)
        .header("access-control-allow-methods", "GET, HEAD, POST")
        .header("access-control-allow-headers", REQUEST_HEADERS)
        .header("access-control-max-age", MAX_AGE_SECONDS);
  }

  /** Says in an answer who may read it. */
  static void head(@Nullable String origin, Hosts hosts, Response response) {
    if (origin != null && hosts.origins().contains(origin)) {
      response
          .header("access-control-allow-origin", origin)
          .header("access-control-expose-headers", "*")
          .header("vary", "origin");
    }
  }
}

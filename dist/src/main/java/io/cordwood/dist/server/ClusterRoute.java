package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Params;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import java.io.IOException;

/**
 * {@code GET /cluster}: all that this node believes of the cluster, as a table, or with {@code
 * format=json} as one object. A belief is seconds old, and another node may believe something else.
 */
final class ClusterRoute {
  private ClusterRoute() {}

  static void addTo(Routes routes, Cluster cluster) {
    routes.get(
        ApiPaths.CLUSTER,
        Params.of(ApiParams.FORMAT),
        (request, response) -> answer(cluster, request, response));
  }

  private static void answer(Cluster cluster, Request request, Response response)
      throws IOException {
    String format = request.param(ApiParams.FORMAT).orElse("text");
    switch (format) {
      case "text" -> response.text(200, ClusterTable.of(cluster.view()));
      case "json" -> {
        response.status(200).header("content-type", "application/json");
        ClusterJson.write(cluster.view(), response.body());
      }
      default ->
          throw new HttpError(
              400, "parameter format: expected text or json, found '" + format + "'");
    }
  }
}

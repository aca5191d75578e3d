package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /cluster}: all that this node believes of the cluster, as a table, or with {@code
 * format=json} as one object. A belief is seconds old, and another node may believe something else.
 * {@code POST /cluster/forget} is for administrators: a node that is gone for good is not missed
 * any more.
 */
final class ClusterRoute {
  private static final Logger log = LoggerFactory.getLogger(ClusterRoute.class);

  private ClusterRoute() {}

  static void addTo(Routes routes, Cluster cluster) {
    routes.get(
        ApiPaths.CLUSTER,
        Params.of(ApiParams.FORMAT),
        (request, response) -> answer(cluster, request, response));
    routes.post(
        ApiPaths.CLUSTER_FORGET,
        Params.of(ApiParams.ID, ApiParams.UNKNOWN),
        0,
        (request, response) -> forget(cluster, request, response));
  }

  private static void forget(Cluster cluster, Request request, Response response)
      throws IOException {
    boolean unknown = request.flag(ApiParams.UNKNOWN);
    String id = unknown ? "" : request.requiredParam(ApiParams.ID);
    if (unknown) {
      cluster.forgetUnknown();
    } else if (!cluster.forget(id)) {
      throw new HttpError(404, "parameter id: expected a node that is gone, found '" + id + "'");
    }
    log.warn("by request, {} not missed any more", unknown ? "unknown nodes are" : id + " is");
    response.text(200, unknown ? "unknown nodes are not missed\n" : id + " is not missed\n");
  }

  private static void answer(Cluster cluster, Request request, Response response)
      throws IOException {
    if (request.wantsJson()) {
      response.json(json -> ClusterJson.write(cluster.view(), json));
    } else {
      response.text(200, ClusterTable.of(cluster.view()));
    }
  }
}

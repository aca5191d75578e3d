package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /senders}: where records can be sent, for a page that says how: this node first, if it
 * takes some, then others.
 *
 * @param tls whether the ports speak it
 * @param tokens whether senders are asked for one
 */
record SendersRoute(Cluster cluster, boolean tls, boolean tokens) {
  private static final int MOST = 20;

  void addTo(Routes routes) {
    routes.get(ApiPaths.SENDERS, (_, response) -> answer(response));
  }

  private void answer(Response response) {
    List<NodeInfo> nodes =
        cluster.members(Role.INGEST).stream()
            .filter(node -> !node.senderPorts().areNone())
            .limit(MOST)
            .toList();
    response.json(json -> {
      json.writeBooleanProperty("tls", tls);
      json.writeBooleanProperty("tokens", tokens);
      json.writeArrayPropertyStart("nodes");
      nodes.forEach(node -> write(node, json));
      json.writeEndArray();
    });
  }

  private void write(NodeInfo node, JsonGenerator json) {
    json.writeStartObject();
    json.writeBooleanProperty("self", node.nodeId().equals(cluster.self().nodeId()));
    json.writeStringProperty("host", node.apiHost());
    json.writeNumberProperty("api_port", node.apiPort());
    json.writeNumberProperty("fast_port", node.senderPorts().fast());
    json.writeNumberProperty("durable_port", node.senderPorts().durable());
    json.writeEndObject();
  }
}

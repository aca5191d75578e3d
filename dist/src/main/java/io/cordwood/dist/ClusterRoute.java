package io.cordwood.dist;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.ClusterView;
import io.cordwood.common.cluster.ClusterView.Listed;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.Routes;
import io.cordwood.common.text.Sizes;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /cluster}: the nodes that this one sees, itself first, a line each with tabs between
 * its columns. What it says is a belief, seconds old.
 */
final class ClusterRoute {
  private static final String HEADER =
      "node\troles\tapi\tgossip\tstate\tconnections\tbytes/s\tbacklog\tfree disk\n";

  private ClusterRoute() {}

  static void addTo(Routes routes, Cluster cluster) {
    routes.get(ApiPaths.CLUSTER, (_, response) -> response.text(200, table(cluster.view())));
  }

  static String table(ClusterView view) {
    StringBuilder text = new StringBuilder(HEADER);
    append(text, view.self(), view.gossipAddress(), "self");
    for (Listed other : view.others()) {
      append(text, other.node(), other.gossipAddress(), name(other.state()));
    }
    return text.toString();
  }

  private static void append(
      StringBuilder text, @Nullable NodeInfo node, String gossipAddress, String state) {
    if (node == null) {
      text.append("-\t-\t-");
    } else {
      text.append(node.nodeId()).append('\t').append(roles(node)).append('\t');
      text.append(node.apiAddress());
    }
    text.append('\t').append(gossipAddress).append('\t').append(state);
    text.append(node == null ? "\t-\t-\t-\t-" : load(node.load())).append('\n');
  }

  private static String load(NodeLoad load) {
    return "\t%d\t%s\t%s\t%s"
        .formatted(
            load.connections(),
            Sizes.format(load.bytesPerSecond()),
            Sizes.format(load.backlogBytes()),
            Sizes.format(load.freeDiskBytes()));
  }

  private static String roles(NodeInfo node) {
    return node.roles().stream().map((Role role) -> name(role)).collect(Collectors.joining(","));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

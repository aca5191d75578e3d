package io.cordwood.dist.server;

import io.cordwood.common.cluster.ClusterView;
import io.cordwood.common.cluster.ClusterView.Listed;
import io.cordwood.common.cluster.ClusterView.Seed;
import io.cordwood.common.cluster.DepartedNode;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.text.Sizes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cluster for people to read: a line for each node, this one first, with tabs between its
 * columns; then the peers that were named and are not reached; then, after number signs, what holds
 * for the whole.
 */
final class ClusterTable {
  private static final String HEADER =
      "node\troles\tapi\tgossip\tstate\tconnections\tbytes/s\tbacklog\tfree disk\tstored\trf"
          + "\tsince\n";
  private static final String NO_NODE = "-\t-\t-\t";
  private static final String NO_LOAD = "\t-\t-\t-\t-\t-\t-";

  private final ClusterView view;
  private final StringBuilder text = new StringBuilder(HEADER);

  private ClusterTable(ClusterView view) {
    this.view = view;
  }

  static String of(ClusterView view) {
    var table = new ClusterTable(view);
    table.row(view.self().node(), view.self().gossipAddress(), "self", null);
    for (Listed other : view.others()) {
      table.row(other.node(), other.gossipAddress(), name(other.state()), other.since());
    }
    for (DepartedNode gone : view.departed()) {
      table.row(gone.node(), gone.gossipAddress(), gone.left() ? "left" : "lost", gone.since());
    }
    view.seeds().forEach(table::seed);
    table.notes();
    return table.text.toString();
  }

  private void row(@Nullable NodeInfo node, String gossip, String state, @Nullable Instant since) {
    text.append(node == null ? NO_NODE : names(node)).append(gossip).append('\t').append(state);
    if (node != null && isTwin(node, gossip)) {
      text.append(",twin");
    }
    text.append(node == null ? NO_LOAD : load(node)).append('\t');
    text.append(since == null ? "-" : since.truncatedTo(ChronoUnit.SECONDS)).append('\n');
  }

  private boolean isTwin(NodeInfo node, String gossip) {
    var places = view.twins().get(node.nodeId());
    return places != null && places.contains(gossip);
  }

  private void seed(Seed seed) {
    if (seed.trouble() != null) {
      text.append(NO_NODE).append(seed.address());
      text.append("\tunreachable: ").append(seed.trouble().replaceAll("\\s", " "));
      text.append(NO_LOAD).append("\t-\n");
    }
  }

  private void notes() {
    text.append("# cluster ").append(view.clusterName()).append(", ");
    List<String> keys = view.self().keyIds();
    text.append(keys.isEmpty() ? "no key" : "key " + String.join(" ", keys));
    text.append('\n');
    view.twins()
        .forEach((id, places) ->
            text.append("# node id ")
                .append(id)
                .append(" is that of several living nodes: ")
                .append(String.join(" ", places))
                .append('\n'));
  }

  private static String names(NodeInfo node) {
    String roles =
        node.roles().stream().map((Role role) -> name(role)).collect(Collectors.joining(","));
    return node.nodeId() + '\t' + roles + '\t' + node.apiAddress() + '\t';
  }

  private static String load(NodeInfo node) {
    NodeLoad load = node.load();
    return "\t%d\t%s\t%s\t%s\t%s\t%s"
        .formatted(
            load.connections(),
            Sizes.format(load.bytesPerSecond()),
            backlog(load),
            Sizes.format(load.freeDiskBytes()),
            node.has(Role.STORE) ? Sizes.format(load.storedBytes()) : "-",
            node.has(Role.STORE) ? node.replicationFactor() : "-");
  }

  private static String backlog(NodeLoad load) {
    String bytes = Sizes.format(load.backlogBytes());
    return load.quarantinedSegments() == 0
        ? bytes
        : bytes + ", " + load.quarantinedSegments() + " quarantined";
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

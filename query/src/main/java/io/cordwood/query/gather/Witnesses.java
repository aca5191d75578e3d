package io.cordwood.query.gather;

import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.wire.KnownNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the nodes that answer know of others and this one does not. A node that has just joined has
 * never met a store that was lost before, and must not take the rest for all. Safe for all threads.
 */
final class Witnesses {
  private final ClusterNodes nodes;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Gone> gone = new LinkedHashMap<>();
  private volatile Optional<String> doubt = Optional.empty();
  private volatile boolean toldNothingNew = true;

  /**
   * @param self this node's id
   * @param nodes that it knows
   */
  Witnesses(String self, ClusterNodes nodes) {
    this.nodes = nodes;
    known.add(self);
    nodes.known().forEach(node -> known.add(node.nodeId()));
  }

  /** Takes in whom a node knows. */
  synchronized void heard(String witness, List<KnownNode> told) {
    for (KnownNode node : told) {
      if (known.contains(node.nodeId())) {
        continue;
      }
      toldNothingNew = false;
      if (node.isGone()) {
        gone.put(node.nodeId(), gone(node));
      } else if (doubt.isEmpty()) {
        doubt =
            Optional.of(
                "node %s knows %s, which this one has not met".formatted(witness, node.nodeId()));
      }
    }
  }

  private static Gone gone(KnownNode node) {
    return new Gone(
        node.nodeId(),
        node.ingests(),
        node.stores(),
        Instant.ofEpochMilli(node.goneSinceMillis()),
        node.replicatedFromMillis());
  }

  /** Whether all that was told until now was known before. */
  boolean toldNothingNew() {
    return toldNothingNew;
  }

  /** The nodes that this node and all those together know. */
  synchronized ClusterNodes nodes() {
    List<Gone> all = Stream.concat(nodes.gone().stream(), gone.values().stream()).toList();
    return new ClusterNodes(
        nodes.ingest(),
        nodes.stores(),
        all,
        nodes.replicationFactor(),
        nodes.self(),
        nodes.doubt().or(() -> doubt));
  }
}

package io.cordwood.common.cluster;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Living members with one and the same node id, which a copied data folder makes: found, and said
 * in the log when that begins and when it ends.
 *
 * <p>A node that was started again is listed twice, too, until its earlier start is dropped: only
 * what lasts longer than that counts. Looked for by the cluster thread; any thread may ask.
 */
final class DuplicateNodeIds {
  private static final Logger LOG = LoggerFactory.getLogger(DuplicateNodeIds.class);

  private final Peers peers;
  private final GossipTiming timing;
  private final InstantSource clock;
  private volatile Map<String, Set<String>> found = Map.of();

  DuplicateNodeIds(Peers peers, GossipTiming timing, InstantSource clock) {
    this.peers = peers;
    this.timing = timing;
    this.clock = clock;
  }

  /** Gossip addresses by node id. */
  Map<String, Set<String>> found() {
    return found;
  }

  /** Takes a new look, as the node with this id and gossip address. */
  void look(String selfNodeId, String selfAddress) {
    List<ClusterView.Listed> listed = peers.listed();
    Instant horizon =
        clock
            .instant()
            .minus(timing.silence(listed.size() + 1).multipliedBy(2))
            .minus(timing.syncInterval());
    Map<String, Set<String>> addresses = new TreeMap<>();
    addresses.computeIfAbsent(selfNodeId, _ -> new TreeSet<>()).add(selfAddress);
    for (ClusterView.Listed other : listed) {
      NodeInfo node = other.node();
      if (node != null
          && other.state() == ClusterView.State.ALIVE
          && other.since().isBefore(horizon)) {
        addresses.computeIfAbsent(node.nodeId(), _ -> new TreeSet<>()).add(other.gossipAddress());
      }
    }
    addresses.values().removeIf(places -> places.size() < 2);
    tell(addresses);
    found = Map.copyOf(addresses);
  }

  private void tell(Map<String, Set<String>> now) {
    now.forEach((nodeId, places) -> {
      if (!found.containsKey(nodeId)) {
        LOG.error(
            "node id {} is that of several living nodes, at {}: was a data folder copied?"
                + " They count as one. Stop all but one, delete the file node-id in their data"
                + " folders, and start them again",
            nodeId,
            String.join(" and ", places));
      }
    });
    found.keySet().stream()
        .filter(nodeId -> !now.containsKey(nodeId))
        .forEach(nodeId -> LOG.info("node id {} is that of one living node again", nodeId));
  }
}

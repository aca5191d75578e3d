package io.cordwood.common.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that are gone, by node id: remembered until they come back, for a day at most, and the
 * last {@link #MAX_NODES} only. Any thread may use it.
 */
final class DepartedNodes {
  static final int MAX_NODES = 256;
  static final Duration MEMORY = Duration.ofHours(24);

  private final InstantSource clock;
  private final Map<String, DepartedNode> byNodeId = new LinkedHashMap<>();

  DepartedNodes(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void left(NodeInfo node, String gossipAddress, boolean saidSo) {
    forgetOld();
    byNodeId.remove(node.nodeId());
    byNodeId.put(node.nodeId(), new DepartedNode(node, gossipAddress, clock.instant(), saidSo));
    forgetSurplus();
  }

  /** Remembers who was gone, or there, before this node started. */
  synchronized void restore(List<DepartedNode> known) {
    known.forEach(gone -> byNodeId.put(gone.node().nodeId(), gone));
    forgetOld();
    forgetSurplus();
  }

  private void forgetSurplus() {
    while (byNodeId.size() > MAX_NODES) {
      byNodeId.remove(byNodeId.keySet().iterator().next());
    }
  }

  synchronized void cameBack(String nodeId) {
    byNodeId.remove(nodeId);
  }

  /** In the order in which they went. */
  synchronized List<DepartedNode> all() {
    forgetOld();
    return List.copyOf(byNodeId.values());
  }

  private void forgetOld() {
    var horizon = clock.instant().minus(MEMORY);
    byNodeId.values().removeIf(gone -> gone.since().isBefore(horizon));
  }
}

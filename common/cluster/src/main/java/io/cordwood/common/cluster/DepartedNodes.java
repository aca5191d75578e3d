package io.cordwood.common.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that are gone, by node id: remembered until they come back. An ingest node may hold
 * what is nowhere else, so nothing else ends that; others are forgotten after a day. At most {@link
 * Memory#MAX_NODES}; {@link Memory} learns of those for whom there is no room. Any thread may use
 * it.
 */
final class DepartedNodes {
  static final Duration MEMORY = Duration.ofHours(24);

  private final InstantSource clock;
  private final Memory memory;
  private final Map<String, DepartedNode> byNodeId = new LinkedHashMap<>();

  DepartedNodes(InstantSource clock, Memory memory) {
    this.clock = clock;
    this.memory = memory;
  }

  /**
   * @param asOf when it was found to have its roles
   */
  synchronized void left(NodeInfo node, String gossipAddress, boolean saidSo, Instant asOf) {
    forgetOld();
    put(new DepartedNode(node, gossipAddress, clock.instant(), saidSo, asOf));
    forgetSurplus();
  }

  /** Remembers who was gone, or there, before this node started. */
  synchronized void restore(List<DepartedNode> known) {
    known.forEach(this::put);
    forgetOld();
    forgetSurplus();
  }

  /**
   * Remembers whom another node does: those that this one does not know to be gone, and those that
   * have given up their roles since.
   *
   * @param alive ids of nodes that are there
   */
  synchronized void learn(List<DepartedNode> known, Set<String> alive) {
    for (DepartedNode gone : known) {
      DepartedNode own = byNodeId.get(gone.node().nodeId());
      boolean isNews =
          own == null
              || (gone.asOf().isAfter(own.asOf())
                  && !gone.node().roles().equals(own.node().roles()));
      if (isNews && !alive.contains(gone.node().nodeId())) {
        put(gone);
      }
    }
    forgetOld();
    forgetSurplus();
  }

  /** Whether it was remembered; from now on it is one that has left with nothing on it. */
  synchronized boolean giveUp(String nodeId) {
    DepartedNode gone = byNodeId.get(nodeId);
    if (gone != null) {
      left(gone.node().withoutRoles(), gone.gossipAddress(), true, clock.instant());
    }
    return gone != null;
  }

  private void put(DepartedNode gone) {
    byNodeId.remove(gone.node().nodeId());
    byNodeId.put(gone.node().nodeId(), gone);
  }

  private void forgetSurplus() {
    if (byNodeId.size() <= Memory.MAX_NODES) {
      return;
    }
    List<DepartedNode> leastFirst = new ArrayList<>(byNodeId.values());
    leastFirst.sort(Comparator.comparingInt(DepartedNodes::weight));
    for (DepartedNode gone : leastFirst.subList(0, byNodeId.size() - Memory.MAX_NODES)) {
      byNodeId.remove(gone.node().nodeId());
      if (weight(gone) > 0) {
        memory.forgot(gone);
      }
    }
  }

  /** How much is lost with a node that is forgotten. */
  private static int weight(DepartedNode gone) {
    NodeInfo node = gone.node();
    return node.has(Role.INGEST) ? 2 : node.has(Role.STORE) ? 1 : 0;
  }

  synchronized void cameBack(String nodeId) {
    byNodeId.remove(nodeId);
  }

  /** In the order in which they went, as far as this node has seen them go. */
  synchronized List<DepartedNode> all() {
    forgetOld();
    return List.copyOf(byNodeId.values());
  }

  private void forgetOld() {
    Instant horizon = clock.instant().minus(MEMORY);
    byNodeId
        .values()
        .removeIf(gone -> !gone.node().has(Role.INGEST) && gone.since().isBefore(horizon));
  }
}

package io.cordwood.dist.server;

import io.cordwood.common.cluster.KnownMembers;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.query.gather.ClusterNodes;

/** The nodes as queries of a simulated node see them, by the node's own class. */
public final class SimKnownNodes {
  private SimKnownNodes() {}

  /** The other nodes that hold records. */
  public static ClusterNodes of(KnownMembers known, NodeInfo self) {
    return KnownNodes.of(known, self, false);
  }
}

package io.cordwood.dist.server;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.store.node.StoreNode;
import java.util.Optional;

/** How a node is as far as it stores records. */
record StoreStatus(StoreNode node) implements NodeStatus.Part {
  @Override
  public Optional<String> death() {
    return node.death();
  }

  @Override
  public NodeLoad with(NodeLoad load) {
    return load.withStored(node.storedBytes(), node.replicatedFromMillis());
  }
}

package io.cordwood.dist.server;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Partners;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.store.node.StoreNode;
import java.util.Optional;

/** How a node is as far as it stores records. */
record StoreStatus(StoreNode node) implements NodeStatus.Part {
  @Override
  public Optional<String> death() {
    return node.death();
  }

  @Override
  public void addTo(WaitingDeletions waiting) {
    node.addTo(waiting);
  }

  @Override
  public NodeLoad with(NodeLoad load) {
    // In this order: what is said of the copies must hold among these partners, or fewer.
    Partners partners = node.partners().map(Partners::of).orElse(Partners.UNKNOWN);
    return load.withStored(node.storedBytes(), node.replicatedFromMillis(), partners);
  }
}

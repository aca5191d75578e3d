package io.cordwood.dist.server;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Partners;
import io.cordwood.store.node.StoreNode;
import java.util.Optional;

/** How a node is as far as it stores records. */
record StoreStatus(StoreNode node) implements NodeStatus.Part {
  @Override
  public Optional<String> death() {
    return node.death();
  }

  @Override
  public Optional<String> notCarriedOut(long deletions) {
    return node.hasCarriedOut(deletions)
        ? Optional.empty()
        : Optional.of(node.notCarriedOut().orElse("segments are rewritten"));
  }

  @Override
  public NodeLoad with(NodeLoad load) {
    // In this order: what is said of the copies must hold among these partners, or fewer.
    Partners partners = node.partners().map(Partners::of).orElse(Partners.UNKNOWN);
    return load.withStored(node.storedBytes(), node.replicatedFromMillis(), partners);
  }
}

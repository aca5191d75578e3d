package io.cordwood.dist.server;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.ingest.node.IngestNode;
import java.util.Optional;

/** How a node is as far as it takes records. */
record IngestStatus(IngestNode node) implements NodeStatus.Part {
  @Override
  public Optional<String> trouble() {
    return node.trouble();
  }

  @Override
  public Optional<String> warning() {
    return node.warning();
  }

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
    return node.load().withStored(load.storedBytes(), load.replicatedFromMillis(), load.partners());
  }
}

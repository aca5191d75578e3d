package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster that take senders, as this one believes; none before it was told. Safe
 * for all threads.
 */
final class OtherNodes {
  private volatile @Nullable Known known;

  private record Known(String selfId, Supplier<List<NodeInfo>> members) {}

  /**
   * Tells it.
   *
   * @param selfId the id of this node
   * @param members asked again and again, and quick; this node may be among them
   */
  public void know(String selfId, Supplier<List<NodeInfo>> members) {
    known = new Known(selfId, members);
  }

  /** The id of this node, once it is known. */
  public Optional<String> selfId() {
    Known now = known;
    return now == null ? Optional.empty() : Optional.of(now.selfId());
  }

  /** The others that take senders now. */
  public List<NodeInfo> all() {
    Known now = known;
    if (now == null) {
      return List.of();
    }
    return now.members().get().stream()
        .filter(node -> !node.nodeId().equals(now.selfId()) && !node.senderPorts().areNone())
        .toList();
  }
}

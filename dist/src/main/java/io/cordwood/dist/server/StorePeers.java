package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.OwnSegments;
import io.cordwood.store.StorePeer;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cluster's nodes as a store knows them: where they are, and how full. For all threads. */
final class StorePeers {
  private final Cluster cluster;
  private final boolean tls;

  private StorePeers(Cluster cluster, boolean tls) {
    this.cluster = cluster;
    this.tls = tls;
  }

  /**
   * The peers of this node's store.
   *
   * @param ingest of the same node, whose segments the store reads in place; null if there is none
   * @param tls whether the nodes speak it
   */
  static KnownPeers of(
      Cluster cluster, @Nullable IngestNode ingest, PeerCredentials credentials, boolean tls) {
    var peers = new StorePeers(cluster, tls);
    NodeInfo self = cluster.self();
    return new KnownPeers(
        self.nodeId(),
        peers::ingestNodes,
        peers::stores,
        credentials,
        ingest == null ? OwnSegments.NONE : own(self.apiUri(tls), ingest),
        () -> cluster.known().allWith(Role.STORE));
  }

  private static OwnSegments own(URI self, IngestNode ingest) {
    return (node, id) -> node.equals(self) ? Optional.of(ingest.openClaimed(id)) : Optional.empty();
  }

  private List<URI> ingestNodes() {
    return cluster.membersAndTwins(Role.INGEST).stream()
        .map(node -> node.apiUri(tls))
        .distinct()
        .toList();
  }

  private List<StorePeer> stores() {
    return cluster.members(Role.STORE).stream().map(this::peer).toList();
  }

  private StorePeer peer(NodeInfo node) {
    NodeLoad load = node.load();
    return new StorePeer(
        node.nodeId(),
        node.apiUri(tls),
        load.storedBytes(),
        load.freeDiskBytes(),
        node.reads().lists(),
        node.reads().labels());
  }
}

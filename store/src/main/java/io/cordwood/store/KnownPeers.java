package io.cordwood.store;

import io.cordwood.common.http.client.PeerCredentials;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The nodes as a store sees them. The suppliers answer at once, from any thread, with the current
 * view.
 *
 * @param nodeId of this store
 * @param ingestNodes where there are ingest nodes, as {@code http://HOST:PORT} or {@code https}
 * @param stores the other living stores; this one may be among them and is left out
 * @param credentials by which this one shows that it is of the cluster
 * @param ownSegments of this node, if it ingests too
 * @param allStores the ids of all stores that are known, those that are gone and not forgotten,
 *     too; empty while there may be others
 */
public record KnownPeers(
    String nodeId,
    Supplier<List<URI>> ingestNodes,
    Supplier<List<StorePeer>> stores,
    PeerCredentials credentials,
    OwnSegments ownSegments,
    Supplier<Optional<Set<String>>> allStores) {
  /** In a cluster without a key, of a node that does not ingest; no store is ever gone. */
  public KnownPeers(
      String nodeId, Supplier<List<URI>> ingestNodes, Supplier<List<StorePeer>> stores) {
    this(nodeId, ingestNodes, stores, PeerCredentials.NONE, OwnSegments.NONE);
  }

  /** Peers of which no store is ever gone. */
  public KnownPeers(
      String nodeId,
      Supplier<List<URI>> ingestNodes,
      Supplier<List<StorePeer>> stores,
      PeerCredentials credentials,
      OwnSegments ownSegments) {
    this(
        nodeId,
        ingestNodes,
        stores,
        credentials,
        ownSegments,
        () -> Optional.of(Set.copyOf(stores.get().stream().map(StorePeer::nodeId).toList())));
  }

  /** For a store that is the only one. */
  public static KnownPeers onlyIngestNodes(Supplier<List<URI>> ingestNodes) {
    return new KnownPeers("alone", ingestNodes, List::of);
  }

  /**
   * The same, and tells of each store that it names.
   *
   * @param seen is told its node id, before it is named
   */
  public KnownPeers telling(Consumer<String> seen) {
    Supplier<List<StorePeer>> told =
        () -> {
          List<StorePeer> now = stores.get();
          now.forEach(peer -> {
            if (!peer.nodeId().equals(nodeId)) {
              seen.accept(peer.nodeId());
            }
          });
          return now;
        };
    return new KnownPeers(nodeId, ingestNodes, told, credentials, ownSegments, allStores);
  }

  /** The other living stores, each once. */
  public List<StorePeer> otherStores() {
    var known = new HashMap<String, StorePeer>();
    stores.get().forEach(peer -> known.put(peer.nodeId(), peer));
    known.remove(nodeId);
    return List.copyOf(known.values());
  }
}

package io.cordwood.query.gather;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The other nodes that hold records, as this node believes at one moment. Immutable.
 *
 * @param ingest that receive records
 * @param stores that consume them
 * @param gone nodes that were there and may still hold what nobody else does
 * @param replicationFactor the least number of stores that any store says it keeps a record on; 0
 *     if that is not known
 * @param self where this node itself can be asked; empty if nobody can
 * @param doubt why there may be other nodes that this one has not met; empty if that is not likely
 */
public record ClusterNodes(
    List<Peer> ingest,
    List<Peer> stores,
    List<Gone> gone,
    int replicationFactor,
    Optional<Peer> self,
    Optional<String> doubt) {
  /** No other node. */
  public static final ClusterNodes NONE =
      new ClusterNodes(List.of(), List.of(), List.of(), 0, Optional.empty(), Optional.empty());

  public ClusterNodes {
    ingest = List.copyOf(ingest);
    stores = List.copyOf(stores);
    gone = List.copyOf(gone);
  }

  /** Where a store can be asked, this node too; empty if it is not known. */
  Optional<URI> store(String nodeId) {
    return Stream.concat(stores.stream(), self.stream())
        .filter(peer -> peer.nodeId().equals(nodeId))
        .map(Peer::uri)
        .findFirst();
  }

  /** A node that can be asked, at {@code http://HOST:PORT}. */
  public record Peer(String nodeId, URI uri) {}

  /** A node that left or went silent. */
  public record Gone(String nodeId, boolean ingests, boolean stores, Instant since) {}
}

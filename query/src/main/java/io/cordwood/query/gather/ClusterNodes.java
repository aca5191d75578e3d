package io.cordwood.query.gather;

import io.cordwood.common.cluster.Partners;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.wire.KnownNode;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
 * @param doubt why there may be other nodes that this one has not met, or something is deleted of
 *     which it does not know; empty if that is not likely
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

  /** These, with one more reason for doubt, if there is one. */
  public ClusterNodes withDoubt(Optional<String> why) {
    String all = Stream.concat(doubt.stream(), why.stream()).collect(Collectors.joining("; "));
    return new ClusterNodes(
        ingest,
        stores,
        gone,
        replicationFactor,
        self,
        all.isEmpty() ? Optional.empty() : Optional.of(all));
  }

  /** All of them, for a node that asks this one. */
  public List<KnownNode> known() {
    Stream<KnownNode> there =
        Stream.concat(
            ingest.stream().map(peer -> there(peer, true)),
            stores.stream().map(peer -> there(peer, false)));
    return Stream.concat(there, gone.stream().map(ClusterNodes::left)).toList();
  }

  /** This node, as others know it. */
  public Optional<KnownNode> selfKnown() {
    return self.map(peer -> there(peer, false));
  }

  private static KnownNode there(Peer peer, boolean ingests) {
    return new KnownNode(
        peer.nodeId(), ingests, !ingests, KnownNode.IS_THERE, peer.replicatedFromMillis());
  }

  private static KnownNode left(Gone node) {
    long since = Math.max(0, node.since().toEpochMilli());
    return new KnownNode(
        node.nodeId(), node.ingests(), node.stores(), since, node.replicatedFromMillis());
  }

  /** These, of which stores have said of their copies what is given, by node id. */
  ClusterNodes withReplicatedFrom(Map<String, Long> said) {
    return new ClusterNodes(
        ingest,
        stores.stream().map(peer -> peer.withReplicatedFrom(said)).toList(),
        gone.stream().map(node -> node.withReplicatedFrom(said)).toList(),
        replicationFactor,
        self,
        doubt);
  }

  /** Whether what a store holds of a range is on others, too, as many as there should be. */
  boolean isReplicated(String nodeId, UlidRange range) {
    return replicatedFrom(nodeId).orElse(Long.MAX_VALUE) <= range.from().millis();
  }

  /** In milliseconds since 1970, the latest that is known of it; empty if it is no known store. */
  Optional<Long> replicatedFrom(String nodeId) {
    return Optional.ofNullable(replicatedFrom().get(nodeId));
  }

  /** {@link #replicatedFrom(String)} of each, by node id. */
  Map<String, Long> replicatedFrom() {
    Map<String, Long> latest = HashMap.newHashMap(stores.size() + gone.size() + 1);
    Stream.concat(stores.stream(), self.stream())
        .forEach(peer -> latest.merge(peer.nodeId(), peer.replicatedFromMillis(), Math::max));
    gone.forEach(node -> latest.merge(node.nodeId(), node.replicatedFromMillis(), Math::max));
    return latest;
  }

  /** The address of a store, which may be this node; empty if unknown. */
  Optional<URI> store(String nodeId) {
    return Stream.concat(stores.stream(), self.stream())
        .filter(peer -> peer.nodeId().equals(nodeId))
        .map(Peer::uri)
        .findFirst();
  }

  /**
   * A node that can be asked, at {@code http://HOST:PORT}.
   *
   * @param replicatedFromMillis what it stores from this time on is on other stores, too; {@link
   *     Long#MAX_VALUE} if that is not known of anything
   * @param partners among which it is
   */
  public record Peer(String nodeId, URI uri, long replicatedFromMillis, Partners partners) {
    public Peer(String nodeId, URI uri) {
      this(nodeId, uri, Long.MAX_VALUE, Partners.UNKNOWN);
    }

    private Peer withReplicatedFrom(Map<String, Long> said) {
      long millis = said.getOrDefault(nodeId, replicatedFromMillis);
      return new Peer(nodeId, uri, millis, partners);
    }
  }

  /**
   * A node that left or went silent.
   *
   * @param replicatedFromMillis as of {@link Peer}, when it was last heard
   * @param partners likewise
   */
  public record Gone(
      String nodeId,
      boolean ingests,
      boolean stores,
      Instant since,
      long replicatedFromMillis,
      Partners partners) {
    private Gone withReplicatedFrom(Map<String, Long> said) {
      long millis = said.getOrDefault(nodeId, replicatedFromMillis);
      return new Gone(nodeId, ingests, stores, since, millis, partners);
    }
  }
}

package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.DepartedNode;
import io.cordwood.common.cluster.KnownMembers;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.deletion.DeletionWatch;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.gather.ClusterNodes.Peer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The other nodes as queries see them, from when this one is ready until it stops. Before and
 * after, a query is refused, rather than answered as if there were no records. Safe for all
 * threads.
 */
final class KnownNodes implements Supplier<ClusterNodes>, NodeStatus.Part, AutoCloseable {
  private final boolean tls;
  private volatile Supplier<ClusterNodes> nodes =
      () -> refuse(HttpError.busy("this node is starting", 1));
  private volatile Supplier<Optional<String>> lonely = Optional::empty;
  private volatile boolean hasMetOthers;

  /**
   * @param tls whether the nodes speak it
   */
  KnownNodes(boolean tls) {
    this.tls = tls;
  }

  /**
   * From now on queries are answered.
   *
   * @param expectsOthers whether this node holds no records itself
   * @param readsBucket whether it has something to answer from even so
   * @param deletions others are asked for first that say that they know more; an answer says if
   *     that leaves a doubt
   */
  void show(Cluster cluster, boolean expectsOthers, boolean readsBucket, DeletionWatch deletions) {
    nodes =
        () -> {
          Optional<String> unknown = deletions.look();
          return of(cluster, expectsOthers).withDoubt(unknown);
        };
    lonely = expectsOthers && !readsBucket ? () -> loneliness(cluster) : Optional::empty;
  }

  /** Why this node cannot answer anything; empty if it can. */
  @Override
  public Optional<String> trouble() {
    return lonely.get();
  }

  private Optional<String> loneliness(Cluster cluster) {
    KnownMembers known = cluster.known();
    NodeInfo self = cluster.self();
    boolean alone =
        others(known, self, Role.INGEST, tls).isEmpty()
            && others(known, self, Role.STORE, tls).isEmpty();
    return alone
        ? Optional.of(
            "this node holds no records, and sees no other one that does"
                + known.doubt().map(why -> ": " + why).orElse(""))
        : Optional.empty();
  }

  /** From now on they are refused. */
  @Override
  public void close() {
    nodes = () -> refuse(new HttpError(503, "this node is stopping"));
  }

  @Override
  public ClusterNodes get() {
    return nodes.get();
  }

  private static ClusterNodes refuse(HttpError why) {
    throw why;
  }

  private ClusterNodes of(Cluster cluster, boolean expectsOthers) {
    KnownMembers known = cluster.known();
    ClusterNodes found = of(known, cluster.self(), tls);
    hasMetOthers |=
        !found.ingest().isEmpty() || !found.stores().isEmpty() || !found.gone().isEmpty();
    return expectsOthers && !hasMetOthers
        ? of(
            new KnownMembers(
                known.members(),
                known.departed(),
                Optional.of("this node has met no other one that holds records")),
            cluster.self(),
            tls)
        : found;
  }

  /** The other nodes that hold records, of all that are known. */
  static ClusterNodes of(KnownMembers known, NodeInfo self, boolean tls) {
    return new ClusterNodes(
        others(known, self, Role.INGEST, tls),
        others(known, self, Role.STORE, tls),
        known.departed().stream().map(KnownNodes::gone).toList(),
        replicationFactor(known),
        Optional.of(peer(self, tls)),
        known.doubt());
  }

  private static List<Peer> others(KnownMembers known, NodeInfo self, Role role, boolean tls) {
    return known
        .with(role)
        .filter(node -> !node.isAtPlaceOf(self))
        .map(node -> peer(node, tls))
        .toList();
  }

  private static Peer peer(NodeInfo node, boolean tls) {
    NodeLoad load = node.load();
    return new Peer(node.nodeId(), node.apiUri(tls), load.replicatedFromMillis(), load.partners());
  }

  private static Gone gone(DepartedNode departed) {
    NodeInfo node = departed.node();
    return new Gone(
        node.nodeId(),
        node.has(Role.INGEST),
        node.has(Role.STORE),
        departed.since(),
        node.load().replicatedFromMillis(),
        node.load().partners());
  }

  /** The least that any store says, since any of them may have consumed any record. */
  private static int replicationFactor(KnownMembers known) {
    return Stream.concat(known.with(Role.STORE), known.departed().stream().map(DepartedNode::node))
        .filter(node -> node.has(Role.STORE))
        .mapToInt(NodeInfo::replicationFactor)
        .min()
        .orElse(0);
  }
}

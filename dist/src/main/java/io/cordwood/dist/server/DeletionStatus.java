package io.cordwood.dist.server;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.DepartedNode;
import io.cordwood.common.cluster.KnownMembers;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.deletion.DeletionRoutes;
import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.deletion.DeletionSpread.Member;
import io.cordwood.common.deletion.DeletionWatch;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.query.api.QueryApi;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How a node is as far as it knows what is deleted, and what it does about it. */
record DeletionStatus(Deletions deletions, DeletionAudit audit) implements NodeStatus.Part {
  private static final Duration CONNECT_TIME = Duration.ofSeconds(3);
  private static final Duration READ_TIME = Duration.ofSeconds(10);
  private static final Duration LOOKED_EVERY = Duration.ofSeconds(1);

  /** From now on the audit log says what is learned. */
  static DeletionStatus of(Deletions deletions, AuditLog log) {
    var audit = new DeletionAudit(log, deletions::known);
    deletions.whenChanged(audit::learned);
    return new DeletionStatus(deletions, audit);
  }

  /** Reads what a node knows, and answers others that ask for it. */
  static Deletions open(Path data, Routes routes, MeterRegistry registry) throws IOException {
    Deletions deletions = Deletions.open(data, Filesystem.real(), registry);
    DeletionRoutes.addTo(routes, deletions);
    return deletions;
  }

  @Override
  public Optional<String> warning() {
    return deletions.areLost()
        ? Optional.of("some deletions that this node knew may be lost; answers may hold what is")
        : Optional.empty();
  }

  @Override
  public NodeLoad with(NodeLoad load) {
    return load.withDeletions(deletions.known().sum());
  }

  /**
   * The other nodes.
   *
   * @param tls whether they speak it
   */
  record Others(Cluster cluster, boolean tls) {
    private Stream<NodeInfo> members() {
      NodeInfo self = cluster.self();
      return cluster.membersAndTwins().stream().filter(node -> !node.place().equals(self.place()));
    }

    private DeletionWatch.Others seen() {
      List<DeletionWatch.Teller> tellers =
          members()
              .filter(node -> node.reads().deletions())
              .map(node -> new DeletionWatch.Teller(node.apiUri(tls), node.load().deletionsSum()))
              .toList();
      return new DeletionWatch.Others(tellers, members().findAny().isEmpty() && isMissed());
    }

    /** Whether a node is gone that did not say so; it may have been told what is deleted. */
    private boolean isMissed() {
      return cluster.known().departed().stream().anyMatch(gone -> !gone.left());
    }

    private List<Member> all() {
      KnownMembers known = cluster.known();
      NodeInfo self = cluster.self();
      Stream<Member> there =
          known.members().stream()
              .filter(node -> !node.place().equals(self.place()))
              .map(node ->
                  new Member(name(node), Optional.of(node.apiUri(tls)), node.reads().deletions()));
      Stream<Member> gone =
          known.departed().stream()
              .map(DepartedNode::node)
              .map(node -> new Member(name(node), Optional.empty(), node.reads().deletions()));
      return Stream.concat(there, gone).toList();
    }

    private static String name(NodeInfo node) {
      return node.nodeId() + " at " + node.apiAddress();
    }
  }

  /**
   * Asks others for what they know, now, and from now on whenever one says that it knows something
   * else; deletes what is asked for, and says how far it has come.
   *
   * @return the same question for whoever cannot wait for that
   */
  DeletionWatch start(
      Others others,
      NodeStatus status,
      QueryApi query,
      PeerCredentials credentials,
      Routes routes,
      RunGroup group,
      MeterRegistry registry) {
    var client = new PeerClient(CONNECT_TIME, READ_TIME, credentials);
    group.hold("deletion calls", client);
    var exchange = new DeletionExchange(deletions, client);
    var watch = new DeletionWatch(exchange, others::seen);
    var progress = new DeletionProgress(deletions, status::addTo, audit, registry);
    watch.askAll();
    group.hold(
        "deletions",
        PeriodicTask.start(
            "deletions",
            LOOKED_EVERY,
            registry,
            () -> {
              var _ = watch.look();
              progress.look();
            }));
    query.addDeletion(routes, new DeletionSpread(exchange, others::all));
    new DeletionList(progress).addTo(routes);
    return watch;
  }
}

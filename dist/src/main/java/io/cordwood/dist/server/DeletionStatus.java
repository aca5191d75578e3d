package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.deletion.DeletionRoutes;
import io.cordwood.common.deletion.DeletionWatch;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.run.PeriodicTask;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** How a node is as far as it knows what is deleted. */
record DeletionStatus(Deletions deletions) implements NodeStatus.Part {
  private static final Duration CONNECT_TIME = Duration.ofSeconds(3);
  private static final Duration READ_TIME = Duration.ofSeconds(10);
  private static final Duration LOOKED_EVERY = Duration.ofSeconds(1);

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
   * Asks others for what they know, now, and from now on whenever one says that it knows something
   * else.
   *
   * @param tls whether the nodes speak it
   * @return the same for whoever cannot wait for that
   */
  static DeletionWatch watch(
      Cluster cluster,
      Deletions deletions,
      PeerCredentials credentials,
      boolean tls,
      RunGroup group,
      MeterRegistry registry) {
    var client = new PeerClient(CONNECT_TIME, READ_TIME, credentials);
    group.hold("deletion calls", client);
    var watch =
        new DeletionWatch(
            new DeletionExchange(deletions, client), () -> tellers(cluster, tls).toList());
    var _ = watch.look();
    group.hold("deletions", PeriodicTask.start("deletions", LOOKED_EVERY, registry, watch::look));
    return watch;
  }

  private static Stream<DeletionWatch.Teller> tellers(Cluster cluster, boolean tls) {
    NodeInfo self = cluster.self();
    return cluster.membersAndTwins().stream()
        .filter(node -> !node.place().equals(self.place()) && node.reads().deletions())
        .map(node -> new DeletionWatch.Teller(node.apiUri(tls), node.load().deletionsSum()));
  }
}

package io.cordwood.common.cluster;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.awaitility.core.ConditionFactory;

/** Nodes of one test, on 127.0.0.1 with quick timing; closing it closes them. */
final class Nodes implements AutoCloseable {
  static final GossipTiming QUICK =
      new GossipTiming(
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          Duration.ofMillis(50),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofMillis(100),
          3);

  /** What the first node counts. */
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private final List<Cluster> started = new ArrayList<>();

  /** A node of the cluster "test", on a port of the test's own if none is given. */
  Cluster start(String id, Role role, int port, int... seeds) throws IOException {
    return start(node(id, role), options("test", port, seeds), new GossipCodec());
  }

  Cluster start(NodeInfo node, ClusterOptions options, MessageCodec codec) throws IOException {
    SimpleMeterRegistry own = started.isEmpty() ? registry : new SimpleMeterRegistry();
    return start(node, options, own, codec, HostPort::resolve);
  }

  Cluster start(NodeInfo node, ClusterOptions options, Resolver resolver) throws IOException {
    return start(node, options, new SimpleMeterRegistry(), new GossipCodec(), resolver);
  }

  private Cluster start(
      NodeInfo node,
      ClusterOptions options,
      SimpleMeterRegistry own,
      MessageCodec codec,
      Resolver resolver)
      throws IOException {
    Cluster cluster = Cluster.start(node, options, own, _ -> codec, resolver);
    started.add(cluster);
    return cluster;
  }

  /** Ends a node as a kill does: it says nothing and answers nothing any more. */
  static void kill(Cluster cluster) {
    cluster.transport().stop().block(Patience.LONG);
  }

  static NodeInfo node(String id, Role... roles) {
    return new NodeInfo(id, Set.of(roles), "127.0.0.1", 8000 + id.charAt(0), 0, NodeLoad.NONE);
  }

  static ClusterOptions options(String clusterName, int port, int... seeds) {
    return options(clusterName, ClusterKeys.NONE, port, seeds);
  }

  static ClusterOptions options(String clusterName, ClusterKeys keys, int port, int... seeds) {
    List<HostPort> peers = new ArrayList<>();
    for (int seed : seeds) {
      peers.add(new HostPort("localhost", seed));
    }
    return new ClusterOptions(
        new HostPort("127.0.0.1", port == 0 ? FreePorts.next() : port),
        null,
        peers,
        clusterName,
        keys,
        QUICK,
        Optional.empty());
  }

  /** What the first node refused for this reason. */
  double refused(GossipFormatException.Reason reason) {
    return refused(registry, reason);
  }

  static double refused(SimpleMeterRegistry registry, GossipFormatException.Reason reason) {
    String tag = reason.name().toLowerCase(Locale.ROOT);
    return registry.get("cordwood.cluster.frames.refused").tag("reason", tag).counter().count();
  }

  static List<String> ids(Cluster cluster, Role role) {
    return cluster.members(role).stream().map(NodeInfo::nodeId).sorted().toList();
  }

  /**
   * Waits until each knows all the others. Before that a node that is closed says its goodbye to
   * nobody, though others may know it.
   */
  static void awaitMet(Cluster... all) {
    for (Cluster each : all) {
      eventually().until(() -> each.view().others().size() == all.length - 1);
    }
  }

  static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(20));
  }

  @Override
  public void close() {
    started.parallelStream().forEach(Cluster::close);
  }
}

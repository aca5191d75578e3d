package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several nodes in one process, on real sockets, with quick timing. */
final class ClusterTest {
  private static final GossipTiming QUICK =
      new GossipTiming(
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          Duration.ofMillis(50),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofMillis(100),
          3);
  private static final NodeLoad BUSY = new NodeLoad(7, 1_000_000, 2L << 40, 3L << 40);

  private final List<Cluster> started = new ArrayList<>();

  @AfterEach
  void closeAll() {
    started.parallelStream().forEach(Cluster::close);
  }

  @Test
  void nodeWithoutSeedsIsAClusterOfOne() throws IOException {
    Cluster alone = start("a", Set.of(Role.STORE, Role.QUERY), 0);
    assertThat(alone.members(Role.STORE)).containsExactly(alone.self());
    assertThat(alone.members(Role.INGEST)).isEmpty();
    eventually().until(() -> alone.view().joined());
  }

  @Test
  void nodesSeeEachOtherWithRolesAndAddresses() throws IOException {
    Cluster a = start("a", Set.of(Role.INGEST), 0);
    Cluster b = start("b", Set.of(Role.STORE), 0, a.port());
    Cluster c = start("c", Set.of(Role.STORE, Role.QUERY), 0, a.port(), b.port());
    for (Cluster each : List.of(a, b, c)) {
      eventually().untilAsserted(() -> assertThat(ids(each, Role.INGEST)).containsExactly("a"));
      eventually()
          .untilAsserted(
              () -> assertThat(ids(each, Role.STORE)).containsExactlyInAnyOrder("b", "c"));
      eventually().untilAsserted(() -> assertThat(ids(each, Role.QUERY)).containsExactly("c"));
    }
    assertThat(b.members(Role.INGEST)).containsExactly(a.self());
    assertThat(b.view().others())
        .extracting(ClusterView.Listed::gossipAddress)
        .containsExactlyInAnyOrder("127.0.0.1:" + a.port(), "127.0.0.1:" + c.port());
  }

  @Test
  void loadOfOneReachesTheOthers() throws IOException {
    Cluster a = start("a", Set.of(Role.STORE), 0);
    Cluster b = start("b", Set.of(Role.QUERY), 0, a.port());
    eventually().until(() -> a.members(Role.QUERY).size() == 1);
    a.load(BUSY);
    assertThat(a.self().load()).isEqualTo(BUSY);
    eventually()
        .untilAsserted(() ->
            assertThat(b.members(Role.STORE)).extracting(NodeInfo::load).containsExactly(BUSY));
  }

  @Test
  void closedNodeIsGone() throws IOException {
    Cluster a = start("a", Set.of(Role.STORE), 0);
    Cluster b = start("b", Set.of(Role.STORE), 0, a.port());
    eventually().until(() -> a.members(Role.STORE).size() == 2);
    b.close();
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a"));
    eventually().until(() -> a.view().others().isEmpty());
  }

  @Test
  void silentNodeIsGone() throws IOException {
    Cluster a = start("a", Set.of(Role.STORE), 0);
    Cluster b = start("b", Set.of(Role.STORE), 0, a.port());
    Cluster c = start("c", Set.of(Role.STORE), 0, a.port());
    eventually().until(() -> a.members(Role.STORE).size() == 3);
    eventually().until(() -> c.members(Role.STORE).size() == 3);
    b.vanish();
    eventually()
        .untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactlyInAnyOrder("a", "c"));
    eventually()
        .untilAsserted(() -> assertThat(ids(c, Role.STORE)).containsExactlyInAnyOrder("a", "c"));
  }

  @Test
  void seedThatStartsAgainOnItsPortIsMetAgain() throws IOException {
    Cluster seed = start("seed", Set.of(Role.INGEST), 0);
    int port = seed.port();
    Cluster b = start("b", Set.of(Role.STORE), 0, port);
    eventually().until(() -> !b.members(Role.INGEST).isEmpty());
    seed.vanish();
    Cluster again = start("seed", Set.of(Role.INGEST, Role.QUERY), port);
    eventually()
        .untilAsserted(() -> assertThat(b.members(Role.INGEST)).containsExactly(again.self()));
    eventually().untilAsserted(() -> assertThat(ids(again, Role.STORE)).containsExactly("b"));
    eventually().until(() -> b.view().others().size() == 1);
    assertThat(b.members(Role.INGEST)).containsExactly(again.self());
  }

  @Test
  void seedThatStartsLaterIsMet() throws IOException {
    Cluster first = start("first", Set.of(Role.STORE), 0);
    int port = first.port();
    first.close();
    Cluster b = start("b", Set.of(Role.STORE), 0, port);
    eventually().until(() -> b.view().joined());
    start("seed", Set.of(Role.INGEST), port);
    eventually().untilAsserted(() -> assertThat(ids(b, Role.INGEST)).containsExactly("seed"));
  }

  @Test
  void clustersWithDifferentNamesIgnoreEachOther() throws IOException {
    Cluster a = start("a", Set.of(Role.STORE), 0);
    Cluster other =
        keep(Cluster.start(node("x", Set.of(Role.STORE)), named("other", a.port()), registry()));
    Cluster b = start("b", Set.of(Role.STORE), 0, a.port());
    eventually().until(() -> other.view().joined());
    eventually().until(() -> a.members(Role.STORE).size() == 2);
    assertThat(ids(a, Role.STORE)).containsExactly("a", "b");
    assertThat(ids(b, Role.STORE)).containsExactly("b", "a");
    assertThat(other.view().others()).isEmpty();
  }

  @Test
  void portInUseIsNamed() throws IOException {
    Cluster a = start("a", Set.of(Role.STORE), 0);
    assertThatThrownBy(() -> start("b", Set.of(Role.STORE), a.port()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + a.port());
  }

  @Test
  void nodesCanBeCountedByRole() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    keep(Cluster.start(node("a", Set.of(Role.STORE)), named("test"), registry));
    assertThat(registry.get("cordwood.cluster.members").tag("role", "store").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("cordwood.cluster.members").tag("role", "query").gauge().value())
        .isZero();
  }

  private Cluster start(String id, Set<Role> roles, int port, int... seeds) throws IOException {
    return keep(Cluster.start(node(id, roles), options("test", port, seeds), registry()));
  }

  private Cluster keep(Cluster cluster) {
    started.add(cluster);
    return cluster;
  }

  private static NodeInfo node(String id, Set<Role> roles) {
    return new NodeInfo(id, roles, "127.0.0.1", 8000 + id.charAt(0), NodeLoad.NONE);
  }

  private static ClusterOptions named(String clusterName, int... seeds) {
    return options(clusterName, 0, seeds);
  }

  private static ClusterOptions options(String clusterName, int port, int... seeds) {
    List<HostPort> peers = new ArrayList<>();
    for (int seed : seeds) {
      peers.add(new HostPort("localhost", seed));
    }
    return new ClusterOptions(new HostPort("127.0.0.1", port), null, peers, clusterName, QUICK);
  }

  private static SimpleMeterRegistry registry() {
    return new SimpleMeterRegistry();
  }

  private static List<String> ids(Cluster cluster, Role role) {
    return cluster.members(role).stream().map(NodeInfo::nodeId).toList();
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
  }
}

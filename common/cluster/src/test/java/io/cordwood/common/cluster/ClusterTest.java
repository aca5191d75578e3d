package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.awaitMet;
import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.ids;
import static io.cordwood.common.cluster.Nodes.kill;
import static io.cordwood.common.cluster.Nodes.node;
import static io.cordwood.common.cluster.Nodes.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several nodes in one process, on real sockets, with quick timing. */
@Execution(ExecutionMode.CONCURRENT)
final class ClusterTest {
  private static final NodeLoad BUSY = new NodeLoad(7, 1_000_000, 2L << 40, 3L << 40, 4L << 40);

  private final Nodes nodes = new Nodes();

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  @Test
  void nodeWithoutSeedsIsAClusterOfOne() throws IOException {
    Cluster alone = nodes.start("a", Role.STORE, 0);
    assertThat(alone.members(Role.STORE)).containsExactly(alone.self());
    assertThat(alone.members(Role.INGEST)).isEmpty();
    eventually().until(() -> alone.view().joined());
  }

  @Test
  void nodesSeeEachOtherWithRolesAndAddresses() throws IOException {
    Cluster a = nodes.start("a", Role.INGEST, 0);
    Cluster b = nodes.start("b", Role.STORE, 0, a.port());
    Cluster c =
        nodes.start(
            node("c", Role.STORE, Role.QUERY),
            options("test", 0, a.port(), b.port()),
            new GossipCodec());
    for (Cluster each : List.of(a, b, c)) {
      eventually().untilAsserted(() -> assertThat(ids(each, Role.INGEST)).containsExactly("a"));
      eventually().untilAsserted(() -> assertThat(ids(each, Role.STORE)).containsExactly("b", "c"));
      eventually().untilAsserted(() -> assertThat(ids(each, Role.QUERY)).containsExactly("c"));
    }
    eventually().untilAsserted(() -> assertThat(b.members(Role.INGEST)).containsExactly(a.self()));
    eventually()
        .untilAsserted(() ->
            assertThat(b.view().others())
                .extracting(ClusterView.Listed::gossipAddress)
                .containsExactlyInAnyOrder("127.0.0.1:" + a.port(), "127.0.0.1:" + c.port()));
  }

  @Test
  void loadOfOneReachesTheOthers() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster b = nodes.start("b", Role.QUERY, 0, a.port());
    eventually().until(() -> a.members(Role.QUERY).size() == 1);
    a.load(BUSY);
    assertThat(a.self().load()).isEqualTo(BUSY);
    eventually()
        .untilAsserted(() ->
            assertThat(b.members(Role.STORE)).extracting(NodeInfo::load).containsExactly(BUSY));
  }

  @Test
  void closedNodeIsGone() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster b = nodes.start("b", Role.STORE, 0, a.port());
    awaitMet(a, b);
    b.close();
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a"));
    eventually().until(() -> a.view().others().isEmpty());
    assertThat(a.departed())
        .singleElement()
        .satisfies(gone -> {
          assertThat(gone.node()).isEqualTo(b.self());
          assertThat(gone.gossipAddress()).isEqualTo("127.0.0.1:" + b.port());
          assertThat(gone.left()).isTrue();
        });
  }

  @Test
  void nodeThatGaveUpItsRoleIsNotMissedInIt() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster b =
        nodes.start(
            node("b", Role.INGEST, Role.STORE), options("test", 0, a.port()), new GossipCodec());
    awaitMet(a, b);
    b.giveUp(Role.INGEST);
    b.close();
    eventually() // Its last words may come after its farewell.
        .untilAsserted(() ->
            assertThat(a.departed())
                .singleElement()
                .satisfies(gone -> {
                  assertThat(gone.node().roles()).containsExactly(Role.STORE);
                  assertThat(gone.left()).isTrue();
                }));
  }

  @Test
  void killedNodeIsGone() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster b = nodes.start("b", Role.STORE, 0, a.port());
    Cluster c = nodes.start("c", Role.STORE, 0, a.port());
    eventually().until(() -> a.members(Role.STORE).size() == 3);
    eventually().until(() -> c.members(Role.STORE).size() == 3);
    kill(b);
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a", "c"));
    eventually().untilAsserted(() -> assertThat(ids(c, Role.STORE)).containsExactly("a", "c"));
    eventually()
        .untilAsserted(() ->
            assertThat(a.departed()).extracting(DepartedNode::node).containsExactly(b.self()));
    assertThat(a.departed()).extracting(DepartedNode::left).doesNotContain(true);
  }

  @Test
  void seedThatStartsAgainOnItsPortIsMetAgain() throws IOException {
    Cluster seed = nodes.start("seed", Role.INGEST, 0);
    int port = seed.port();
    Cluster b = nodes.start("b", Role.STORE, 0, port);
    eventually().until(() -> !b.members(Role.INGEST).isEmpty());
    kill(seed);
    Cluster again = nodes.start("seed", Role.INGEST, port);
    again.load(BUSY);
    eventually()
        .untilAsserted(() -> assertThat(b.members(Role.INGEST)).containsExactly(again.self()));
    eventually().untilAsserted(() -> assertThat(ids(again, Role.STORE)).containsExactly("b"));
    eventually().until(() -> b.view().others().size() == 1);
    eventually()
        .untilAsserted(() -> assertThat(b.members(Role.INGEST)).containsExactly(again.self()));
    eventually().until(() -> b.departed().isEmpty());
  }

  @Test
  void seedThatStartsLaterIsMet() throws IOException {
    Cluster first = nodes.start("first", Role.STORE, 0);
    int port = first.port();
    first.close();
    Cluster b = nodes.start("b", Role.STORE, 0, port);
    eventually().until(() -> b.view().joined());
    nodes.start("seed", Role.INGEST, port);
    eventually().untilAsserted(() -> assertThat(ids(b, Role.INGEST)).containsExactly("seed"));
  }

  @Test
  void halvesThatLostEachOtherMeetAgain() throws IOException {
    CutCodec wire = new CutCodec();
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster b = nodes.start(node("b", Role.STORE), options("test", 0, a.port()), wire);
    eventually().until(() -> a.members(Role.STORE).size() == 2);
    eventually().until(() -> b.members(Role.STORE).size() == 2);
    wire.cut(true);
    eventually().until(() -> a.view().others().isEmpty());
    eventually().until(() -> b.view().others().isEmpty());
    wire.cut(false);
    eventually().until(() -> a.members(Role.STORE).size() == 2);
    eventually().until(() -> b.members(Role.STORE).size() == 2);
  }

  @Test
  void clustersWithDifferentNamesIgnoreEachOther() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster other =
        nodes.start(node("x", Role.STORE), options("other", 0, a.port()), new GossipCodec());
    Cluster b = nodes.start("b", Role.STORE, 0, a.port());
    eventually().until(() -> other.view().joined());
    eventually().until(() -> b.members(Role.STORE).size() == 2);
    eventually().until(() -> a.members(Role.STORE).size() == 2);
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a", "b"));
    eventually().untilAsserted(() -> assertThat(ids(b, Role.STORE)).containsExactly("a", "b"));
    assertThat(other.view().others()).isEmpty();
  }

  @Test
  void portInUseIsNamed() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    assertThatThrownBy(() -> nodes.start("b", Role.STORE, a.port()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + a.port());
  }

  @Test
  void nodesAreCountedByRole() throws IOException {
    nodes.start("a", Role.STORE, 0);
    SimpleMeterRegistry registry = nodes.registry;
    assertThat(registry.get("cordwood.cluster.members").tag("role", "store").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("cordwood.cluster.members").tag("role", "query").gauge().value())
        .isZero();
  }

  @Test
  void closedTwiceIsClosed() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    a.close();
    a.close();
    Cluster b = nodes.start("b", Role.STORE, a.port());
    assertThat(b.port()).isEqualTo(a.port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a-", "prod/dc1", "a b", "ä"})
  void clusterNameThatWouldMixClustersIsRefused(String name) {
    assertThatThrownBy(() -> options(name, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void nodesThatShareAnIdAreNamedAndCountAsOne() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster x = nodes.start(store("x", 9001), options("test", 0, a.port()), new GossipCodec());
    Cluster y = nodes.start(store("x", 9002), options("test", 0, a.port()), new GossipCodec());
    for (Cluster each : List.of(a, x, y)) {
      eventually().until(() -> each.membersAndTwins(Role.STORE).size() == 3);
      eventually().untilAsserted(() -> assertThat(ids(each, Role.STORE)).containsExactly("a", "x"));
      eventually()
          .untilAsserted(() ->
              assertThat(each.view().twins())
                  .containsExactly(
                      Map.entry("x", Set.of("127.0.0.1:" + x.port(), "127.0.0.1:" + y.port()))));
    }
    assertThat(nodes.registry.get("cordwood.cluster.twins").gauge().value()).isEqualTo(1);
    y.close();
    eventually().until(() -> a.view().twins().isEmpty());
    eventually().until(() -> a.departed().isEmpty());
  }

  @Test
  void whoTookAnOldNodesAddressIsAnotherNodeAndTheOldOneIsNeverForgotten() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    Cluster old = nodes.start(store("old", 9001), options("test", 0, a.port()), new GossipCodec());
    eventually().until(() -> ids(a, Role.STORE).contains("old"));
    kill(old);
    nodes.start(store("new", 9001), options("test", 0, a.port()), new GossipCodec());
    eventually()
        .until(() -> {
          assertThat(toBeAnsweredFor(a)).contains("old");
          return ids(a, Role.STORE).contains("new") && !a.departed().isEmpty();
        });
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a", "new"));
  }

  @Test
  void ofTwoAtOneAddressOneCanTakeACopy() throws IOException {
    Cluster a = nodes.start("a", Role.STORE, 0);
    nodes.start(store("old", 9001), options("test", 0, a.port()), new GossipCodec());
    eventually().until(() -> ids(a, Role.STORE).contains("old"));
    nodes.start(store("new", 9001), options("test", 0, a.port()), new GossipCodec());
    eventually().until(() -> toBeAnsweredFor(a).containsAll(Set.of("a", "old", "new")));
    eventually().untilAsserted(() -> assertThat(ids(a, Role.STORE)).containsExactly("a", "new"));
  }

  /** The departed are read last: who goes meanwhile is in one of both. */
  private static Set<String> toBeAnsweredFor(Cluster cluster) {
    Set<String> ids = new TreeSet<>();
    cluster.membersAndTwins(Role.STORE).forEach(node -> ids.add(node.nodeId()));
    cluster.departed().forEach(gone -> ids.add(gone.node().nodeId()));
    return ids;
  }

  private static NodeInfo store(String id, int apiPort) {
    return new NodeInfo(id, Set.of(Role.STORE), "127.0.0.1", apiPort, 2, NodeLoad.NONE);
  }

  @Test
  void givenHostIsAdvertised() throws IOException {
    ClusterOptions options =
        new ClusterOptions(
            new HostPort("0.0.0.0", 0),
            "localhost",
            List.of(),
            "test",
            ClusterKeys.NONE,
            Nodes.QUICK,
            Optional.empty());
    Cluster a = nodes.start(node("a", Role.STORE), options, new GossipCodec());
    Cluster b = nodes.start("b", Role.STORE, 0, a.port());
    eventually().until(() -> b.members(Role.STORE).size() == 2);
    assertThat(a.view().self().gossipAddress()).isEqualTo("localhost:" + a.port());
    assertThat(b.view().others())
        .extracting(ClusterView.Listed::gossipAddress)
        .containsExactly("localhost:" + a.port());
  }
}

package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.ids;
import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that lost each other, in whatever way, see each other again without a hand. */
@Execution(ExecutionMode.CONCURRENT)
final class RejoinTest {
  private static final HostPort SEED = Network.named("seed.test");

  private final Network network = new Network();
  private final Nodes nodes = new Nodes();
  private final Map<String, Cluster> alive = new LinkedHashMap<>();

  @AfterEach
  void closeAll() throws IOException {
    network.close();
    nodes.close();
  }

  @Test
  void seedOnTheOtherSideIsMetAgain() throws IOException {
    startByName("a", "b", "c");
    network.cutBothWays(List.of("a"), List.of("b", "c"));
    sees("a", "a");
    sees("b", "b", "c");
    sees("c", "b", "c");
    network.healAfterLong();
    allSee("a", "b", "c");
    eventually().until(() -> living("a").departed().isEmpty());
  }

  @Test
  void sidesWithoutALivingSeedMeetAgain() throws IOException {
    startByName("a", "b", "c", "d");
    kill("a");
    allSee("b", "c", "d");
    network.cutBothWays(List.of("b"), List.of("c", "d"));
    sees("b", "b");
    sees("c", "c", "d");
    sees("d", "c", "d");
    eventually()
        .untilAsserted(() ->
            assertThat(living("b").departed())
                .extracting(gone -> gone.node().nodeId())
                .containsExactlyInAnyOrder("a", "c", "d"));
    network.healAfterLong();
    allSee("b", "c", "d");
  }

  @Test
  void nodesThatCannotHearOneOfThemMeetItAgain() throws IOException {
    startByName("a", "b", "c");
    network.cut("a", "b");
    network.cut("a", "c");
    sees("b", "b", "c");
    sees("c", "b", "c");
    network.healAfterLong();
    allSee("a", "b", "c");
  }

  @Test
  void wayThatIsCutBetweenTwoOfThreeIsGoneRound() throws IOException {
    startByName("a", "b", "c");
    network.cutBothWays(List.of("b"), List.of("c"));
    NodeLoad load = new NodeLoad(1, 2, 3, 4, 5);
    living("b").load(load);
    eventually().until(() -> a("b").load().equals(load));
    network.heal();
    allSee("a", "b", "c");
  }

  @Test
  void nodeThatIsPausedAndGoesOnComesBack() throws IOException {
    startByName("a", "b", "c");
    network.cutBothWays(List.of("c"), List.of("a", "b"));
    sees("a", "a", "b");
    sees("b", "a", "b");
    network.heal(); // everything that was sent meanwhile arrives now
    allSee("a", "b", "c");
  }

  @Test
  void seedsThatStartAgainElsewhereBehindTheSameNameAreMet() throws IOException {
    startByName("a", "b", "c");
    kill("a");
    start("s"); // another machine, which knows nobody
    network.name("seed.test", port("s"));
    allSee("b", "c", "s");
  }

  @Test
  void allNodesStartAgainElsewhereAndMeetBehindTheName() throws IOException {
    start("a", SEED);
    network.name("seed.test", port("a"));
    start("b", SEED);
    allSee("a", "b");
    kill("a");
    kill("b");
    start("c", SEED);
    start("d", SEED);
    eventually().until(() -> living("d").view().joined());
    network.name("seed.test", port("c"));
    allSee("c", "d");
  }

  @Test
  void peerThatDoesNotResolveIsTriedAgainAndAgain() throws IOException {
    start("b", SEED, Network.named("never.test"));
    eventually()
        .untilAsserted(() ->
            assertThat(living("b").view().seeds())
                .extracting(ClusterView.Seed::trouble)
                .containsExactly("unknown host seed.test", "unknown host never.test"));
    start("a");
    network.name("seed.test", port("a"));
    allSee("a", "b");
    eventually()
        .untilAsserted(() ->
            assertThat(living("b").view().seeds())
                .extracting(ClusterView.Seed::trouble)
                .containsExactly(null, "unknown host never.test"));
  }

  /** Starts the first one, and the others with a name for it; returns when all see each other. */
  private void startByName(String first, String... others) throws IOException {
    start(first);
    network.name("seed.test", port(first));
    for (String other : others) {
      start(other, SEED);
    }
    alive.keySet().forEach(id -> sees(id, alive.keySet().toArray(String[]::new)));
  }

  private void start(String id, HostPort... seeds) throws IOException {
    ClusterOptions options =
        new ClusterOptions(
            new HostPort("127.0.0.1", 0),
            null,
            Arrays.asList(seeds),
            "test",
            ClusterKeys.NONE,
            Nodes.QUICK,
            Optional.empty());
    Cluster started = nodes.start(node(id, Role.STORE), options, network.resolverOf(id));
    network.add(id, started.port());
    alive.put(id, started);
  }

  private Cluster living(String id) {
    return Objects.requireNonNull(alive.get(id), id);
  }

  private int port(String id) {
    return living(id).port();
  }

  private void kill(String id) {
    Nodes.kill(living(id));
    alive.remove(id);
  }

  private NodeInfo a(String id) {
    return living("a").members(Role.STORE).stream()
        .filter(node -> node.nodeId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private void allSee(String... expected) {
    assertThat(alive.keySet()).containsExactlyInAnyOrder(expected);
    alive.keySet().forEach(id -> sees(id, expected));
  }

  private void sees(String id, String... expected) {
    eventually()
        .untilAsserted(
            () -> assertThat(ids(living(id), Role.STORE)).as(id).containsExactly(expected));
  }
}

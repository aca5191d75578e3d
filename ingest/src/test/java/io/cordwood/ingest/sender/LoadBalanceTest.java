package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.cluster.SenderPorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which senders are told to go where: in clusters that are played, whose gossip is seconds old. */
final class LoadBalanceTest {
  private static final long SECOND = 1_000_000_000;
  private static final long FREE = 1L << 40;
  private static final int MIB = 1 << 20;

  private long now;
  private final LoadBalance balance = new LoadBalance(new Random(1), () -> now);

  private static NodeInfo node(int id, NodeLoad load) {
    return new NodeInfo("n" + id, Set.of(Role.INGEST), "host" + id, 7650, 0, load)
        .withSenderPorts(new SenderPorts(7651, 7652));
  }

  private static NodeLoad load(int connections, long bytesPerSecond) {
    return new NodeLoad(connections, bytesPerSecond, 0, FREE, 0);
  }

  private static List<LoadBalance.Sender<Integer>> senders(int count, double bytesPerSecond) {
    return IntStream.range(0, count)
        .mapToObj(i -> new LoadBalance.Sender<>(i, bytesPerSecond))
        .toList();
  }

  /** Senders of one rate on nodes; a node knows of the others with a delay of some seconds. */
  private final class Cluster {
    final int[] senders;
    final double bytesPerSecond;
    final List<int[]> history = new ArrayList<>();
    final LoadBalance[] balances;
    final Random random;
    int moves;

    Cluster(int seed, double bytesPerSecond, int... senders) {
      this.senders = senders;
      this.bytesPerSecond = bytesPerSecond;
      this.random = new Random(seed);
      this.balances = new LoadBalance[senders.length];
      for (int i = 0; i < senders.length; i++) {
        balances[i] = new LoadBalance(random, () -> now);
      }
    }

    private NodeLoad load(int[] counts, int node) {
      return LoadBalanceTest.load(counts[node], (long) (counts[node] * bytesPerSecond));
    }

    /** All nodes decide every other second, not at once, and gossip is up to five seconds old. */
    void run(int seconds) {
      for (int i = 0; i < seconds; i++) {
        now += SECOND;
        history.add(senders.clone());
        for (int node = 0; node < senders.length; node++) {
          if (random.nextBoolean()) {
            round(node);
          }
        }
      }
    }

    private void round(int node) {
      List<NodeInfo> others = new ArrayList<>();
      for (int i = 0; i < senders.length; i++) {
        if (i != node) {
          int age = random.nextInt(5);
          int[] seen = history.get(Math.max(0, history.size() - 1 - age));
          others.add(LoadBalanceTest.node(i, load(seen, i)));
        }
      }
      NodeLoad own = load(senders, node);
      var told =
          balances[node].round(own, others, LoadBalanceTest.senders(senders[node], bytesPerSecond));
      assertThat(told.size()).isLessThanOrEqualTo(Math.max(1, senders[node] / 20) + 1);
      for (var move : told) {
        senders[node]--;
        senders[Integer.parseInt(move.to().nodeId().substring(1))]++;
        moves++;
      }
    }

    int most() {
      return Arrays.stream(senders).max().orElseThrow();
    }

    int least() {
      return Arrays.stream(senders).min().orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void sixtySendersOnOneOfThreeNodesAreSpreadWithinAMinuteAndThenStay(int seed) {
    Cluster cluster = new Cluster(seed, 1000, 60, 0, 0);
    cluster.run(60);
    assertThat(cluster.most()).as("%s", Arrays.toString(cluster.senders)).isLessThanOrEqualTo(25);
    assertThat(cluster.least()).as("%s", Arrays.toString(cluster.senders)).isGreaterThan(14);
    int before = cluster.moves;
    assertThat(before).isLessThan(60);
    cluster.run(600);
    assertThat(cluster.moves - before).isLessThanOrEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1048576"})
  void aNodeThatJoinsATenthOfAClusterIsNotOverrun(int seed, double bytesPerSecond) {
    int[] senders = new int[10];
    Arrays.fill(senders, 100);
    senders[0] = 0;
    Cluster cluster = new Cluster(seed, bytesPerSecond, senders);
    int highest = 0;
    for (int i = 0; i < 300; i++) {
      cluster.run(1);
      highest = Math.max(highest, senders[0]);
    }
    assertThat(highest).isLessThan(120);
    assertThat(senders[0]).isGreaterThan(60);
    int before = cluster.moves;
    cluster.run(600);
    assertThat(cluster.moves - before).isLessThan(30);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "2, 1, 1", "1, 1, 0", "4, 3, 3", "21, 20, 19"})
  void nodesThatAreAboutEquallyLoadedKeepTheirSenders(int own, int first, int second) {
    for (int i = 0; i < 1000; i++) {
      now += SECOND;
      assertThat(
              balance.round(
                  load(own, 0),
                  List.of(node(1, load(first, 0)), node(2, load(second, 0))),
                  senders(own, 0)))
          .isEmpty();
    }
  }

  @Test
  void aNodeWithOneBusySenderAmongIdleOnesKeepsAll() {
    List<LoadBalance.Sender<Integer>> senders = new ArrayList<>(senders(19, 0));
    senders.add(new LoadBalance.Sender<>(19, 100.0 * MIB));
    for (int i = 0; i < 1000; i++) {
      now += SECOND;
      assertThat(balance.round(load(20, 100 * MIB), List.of(node(1, load(20, 0))), senders))
          .isEmpty();
    }
  }

  @Test
  void ofBusySendersOnOneNodeSomeGoThoughConnectionsAreEven() {
    List<LoadBalance.Sender<Integer>> senders = new ArrayList<>(senders(16, 0));
    senders.addAll(senders(4, 10.0 * MIB));
    int moves = 0;
    for (int i = 0; i < 100; i++) {
      now += SECOND;
      var told = balance.round(load(20, 40 * MIB), List.of(node(1, load(20, 0))), senders);
      assertThat(told).allMatch(move -> move.sender() < 4);
      moves += told.size();
    }
    assertThat(moves).isPositive();
  }

  @Test
  void aNodeWhoseDiskIsNearlyFullLosesItsSendersAndGetsNone() {
    NodeLoad full = new NodeLoad(10, 0, 0, 1000, 0);
    assertThat(toldInAMinute(full, load(10, 0), 10)).isPositive();
    assertThat(toldInAMinute(load(30, 0), full, 30)).isZero();
    assertThat(toldInAMinute(full, full, 10)).isZero();
    assertThat(balance.elsewhere(full, List.of(node(1, load(10, 0))), false, 3)).hasSize(3);
    assertThat(balance.elsewhere(load(10, 0), List.of(node(1, full)), true, 3)).isEmpty();
  }

  @Test
  void aNodeWithAFarLargerBacklogThanTheOthersLosesSendersAndGetsNone() {
    NodeLoad behind = new NodeLoad(10, 0, 100L << 30, FREE, 0);
    NodeLoad ahead = new NodeLoad(10, 0, 1L << 20, FREE, 0);
    List<NodeInfo> others = List.of(node(1, ahead), node(2, ahead), node(3, ahead));
    int moves = 0;
    for (int i = 0; i < 60; i++) {
      now += SECOND;
      moves += balance.round(behind, others, senders(10, 0)).size();
    }
    assertThat(moves).isPositive();
    others = List.of(node(1, behind), node(2, load(40, 0)), node(3, load(40, 0)));
    for (int i = 0; i < 60; i++) {
      now += SECOND;
      assertThat(balance.round(load(40, 0), others, senders(40, 0))).isEmpty();
    }
  }

  private int toldInAMinute(NodeLoad own, NodeLoad other, int senders) {
    int moves = 0;
    for (int i = 0; i < 60; i++) {
      now += SECOND;
      moves += balance.round(own, List.of(node(1, other)), senders(senders, 0)).size();
    }
    return moves;
  }

  @Test
  void anUnreachableNodeThatLooksIdleDoesNotHideTheOthers() {
    List<NodeInfo> others = List.of(node(1, load(0, 0)), node(2, load(1, 0)));
    Set<String> told = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      now += 10 * SECOND;
      balance
          .round(load(60, 0), others, senders(60, 0))
          .forEach(move -> told.add(move.to().nodeId()));
    }
    assertThat(told).containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void whoComesToAFullNodeGoesWhereRoomIsAndCountsThereUntilGossipTells() {
    List<NodeInfo> others = List.of(node(1, load(10, 0)), node(2, load(30, 0)));
    assertThat(balance.elsewhere(load(60, 0), others, false, 1000))
        .hasSizeBetween(10, 60) // until this node is the least loaded
        .contains(others.getFirst());
    assertThat(balance.elsewhere(load(60, 0), others, true, 1000)).hasSize(1000);
    IntStream.range(0, 60).forEach(_ -> balance.went(others.getFirst()));
    assertThat(balance.elsewhere(load(60, 0), others, false, 5)).containsOnly(others.getLast());
  }

  @Test
  void aNodeThatIsAloneSendsNobodyAnywhere() {
    assertThat(balance.round(load(60, 0), List.of(), senders(60, 0))).isEmpty();
    assertThat(balance.elsewhere(load(60, 0), List.of(), true, 3)).isEmpty();
  }
}

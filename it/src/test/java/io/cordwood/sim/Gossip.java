package io.cordwood.sim;

import io.cordwood.common.cluster.SimMembership;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The gossip of all nodes, as the library would tell it: whoever runs and can be reached, over
 * another node if need be, is heard of within seconds, and dropped when that is not so for long.
 */
final class Gossip {
  private static final long DROPPED = Duration.ofSeconds(10).toNanos();
  private static final int LOAD_ROUNDS = 3;
  private static final int LOOK_ROUNDS = 5;

  private final SimCluster cluster;
  private long rounds;

  Gossip(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** One second. */
  void round() {
    rounds++;
    List<SimNode> up =
        cluster.nodes().stream().filter(SimNode::isUp).filter(this::isAwake).toList();
    for (SimNode node : up) {
      if ((rounds + node.number) % LOAD_ROUNDS == 0) {
        unlessOver(node, () -> node.membership().load(node.load()));
      }
    }
    for (SimNode node : up) {
      for (SimNode other : up) {
        if (!node.equals(other) && hears(up, node, other)) {
          unlessOver(node, () -> hear(node, other));
        }
      }
      unlessOver(node, () -> drop(node));
      if ((rounds + node.number) % LOOK_ROUNDS == 0) {
        unlessOver(node, () -> node.membership().look(address -> answers(up, node, address)));
        unlessOver(node, () -> tell(up, node));
      }
    }
  }

  private static void unlessOver(SimNode node, Runnable step) {
    try {
      if (node.isUp()) {
        step.run();
      }
    } catch (Sim.Crash e) {
      // It, or the one that it talks to, ended at its disk.
    }
  }

  private boolean answers(List<SimNode> up, SimNode node, String address) {
    return up.stream()
        .anyMatch(other -> other.membership().address().equals(address) && talk(node, other));
  }

  private boolean isAwake(SimNode node) {
    return node.process().pausedUntil() <= cluster.sim.nanos();
  }

  private boolean hears(List<SimNode> up, SimNode node, SimNode other) {
    return talk(node, other)
        || up.stream()
            .anyMatch(third ->
                !third.equals(node)
                    && !third.equals(other)
                    && talk(node, third)
                    && talk(third, other));
  }

  private boolean talk(SimNode one, SimNode other) {
    return cluster.network.reaches(one, other) && cluster.network.reaches(other, one);
  }

  private void hear(SimNode node, SimNode other) {
    SimMembership member = other.membership();
    byte[] described = member.described();
    SimNode.Seen seen = node.seen().get(member);
    if (seen == null || !Arrays.equals(seen.described, described)) {
      cluster.costs.said(Costs.Kind.DESCRIPTION, described.length);
    }
    if (seen == null) {
      cluster.sim.note(node.process(), "sees " + other.process());
      node.seen().put(member, new SimNode.Seen(member, described, cluster.sim.nanos()));
      node.membership().added(member, described);
    } else {
      seen.heardNanos = cluster.sim.nanos();
      if (!Arrays.equals(seen.described, described)) {
        node.membership().updated(member, seen.described, described);
        seen.described = described;
      }
    }
  }

  private void drop(SimNode node) {
    List<SimNode.Seen> silent =
        node.seen().values().stream()
            .filter(seen -> cluster.sim.nanos() - seen.heardNanos > DROPPED)
            .sorted(Comparator.comparing(seen -> seen.member.address()))
            .toList();
    for (SimNode.Seen seen : silent) {
      cluster.sim.note(node.process(), "drops " + seen.member.self().nodeId());
      node.seen().remove(seen.member);
      node.membership().removed(seen.member, seen.described);
    }
  }

  /** Tells one other whom it remembers, or all if it has to ask them. */
  private void tell(List<SimNode> up, SimNode node) {
    List<SimNode> others =
        up.stream()
            .filter(other -> node.seen().containsKey(other.membership()) && talk(node, other))
            .toList();
    if (others.isEmpty()) {
      return;
    }
    boolean asks = node.membership().asks();
    int turn = (int) (rounds / LOOK_ROUNDS % others.size());
    for (int i = 0; i < others.size(); i++) {
      if (asks || i == turn) {
        node.membership().tell(others.get(i).membership(), asks);
      }
    }
  }
}

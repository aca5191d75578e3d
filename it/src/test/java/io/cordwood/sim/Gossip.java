package io.cordwood.sim;

import io.cordwood.common.cluster.SimMembership;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** Those that ran in the last round. */
  private List<SimNode> last = List.of();

  private List<Sim.Life> lastProcesses = List.of();
  private final Map<SimMembership, SimMembership.Described> said = new HashMap<>();

  /** When all of them heard each other; 0 if somebody was cut off. */
  private long allHeardNanos;

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
    boolean isCalm = lookWhetherCalm(up);
    List<SimNode> news = isCalm ? up.stream().filter(this::saysSomethingElse).toList() : up;
    for (SimNode node : up) {
      for (SimNode other : news) {
        if (!node.equals(other) && (isCalm || hears(up, node, other))) {
          unlessOver(node, () -> hear(node, other));
        }
      }
      if (!isCalm || node.seen().size() >= up.size()) {
        unlessOver(node, () -> drop(node));
      }
      if ((rounds + node.number) % LOOK_ROUNDS == 0) {
        unlessOver(node, () -> node.membership().look(address -> answers(up, node, address)));
        unlessOver(node, () -> tell(up, node));
      }
    }
  }

  /**
   * Whether each hears each other, as in the round before, in which all did: then only what they
   * say may be new.
   */
  private boolean lookWhetherCalm(List<SimNode> up) {
    List<Sim.Life> processes = up.stream().map(SimNode::process).toList();
    boolean isWhole = !cluster.network.isCut();
    boolean isCalm = isWhole && allHeardNanos > 0 && processes.equals(lastProcesses);
    if (!isCalm) {
      last.forEach(node -> node.seen().values().forEach(seen -> seen.heardNanos = heard(seen)));
      last = up;
      lastProcesses = processes;
      said.clear();
      up.forEach(node -> said.put(node.membership(), node.membership().described()));
    }
    allHeardNanos = isWhole ? cluster.sim.nanos() : 0;
    return isCalm;
  }

  private boolean saysSomethingElse(SimNode node) {
    SimMembership.Described now = node.membership().described();
    SimMembership.Described before = said.put(node.membership(), now);
    return before == null || !now.isAs(before);
  }

  private long heard(SimNode.Seen seen) {
    return said.containsKey(seen.member)
        ? Math.max(allHeardNanos, seen.heardNanos)
        : seen.heardNanos;
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
    SimMembership.Described described = member.described();
    SimNode.Seen seen = node.seen().get(member);
    if (seen == null || !described.isAs(seen.described)) {
      cluster.costs.said(Costs.Kind.DESCRIPTION, described.bytes());
    }
    if (seen == null) {
      cluster.sim.note(node.process(), "sees " + other.process());
      node.seen().put(member, new SimNode.Seen(member, described, cluster.sim.nanos()));
      node.membership().added(member, described);
    } else {
      seen.heardNanos = cluster.sim.nanos();
      if (!described.isAs(seen.described)) {
        node.membership().updated(member, seen.described, described);
        seen.described = described;
      }
    }
  }

  private void drop(SimNode node) {
    List<SimNode.Seen> silent =
        node.seen().values().stream()
            .filter(seen -> cluster.sim.nanos() - heard(seen) > DROPPED)
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

package io.cordwood.sim;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.Role;
import io.cordwood.ingest.sender.SimBalance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Connections of senders, each to one ingest node, which go where that one sends them. */
final class Senders {
  static final double BYTES_PER_SECOND = 100_000;
  private static final int EACH = 20;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final List<@Nullable SimNode> at = new ArrayList<>();

  Senders(SimCluster cluster, int ingestNodes) {
    this.cluster = cluster;
    this.random = cluster.sim.random.split();
    for (int i = 0; i < EACH * ingestNodes; i++) {
      at.add(null);
    }
  }

  private List<SimNode> open() {
    return cluster
        .present()
        .filter(node -> node instanceof SimIngest ingest && ingest.isUp() && !ingest.leaves())
        .toList();
  }

  /** Those whose node is gone go to any other. */
  void second() {
    List<SimNode> open = open();
    Set<SimNode> isOpen = Set.copyOf(open);
    for (int i = 0; i < at.size(); i++) {
      SimNode node = at.get(i);
      if (node == null || !isOpen.contains(node)) {
        at.set(i, open.isEmpty() ? null : open.get(random.nextInt(open.size())));
      }
    }
  }

  /** All go to one node, as after an outage of the others. */
  void flock(SplittableRandom faults) {
    List<SimNode> open = open();
    if (!open.isEmpty()) {
      SimNode to = open.get(faults.nextInt(open.size()));
      cluster.sim.note(to, "gets all senders");
      at.replaceAll(_ -> to);
    }
  }

  int count(SimNode node) {
    return Collections.frequency(at, node);
  }

  private List<Integer> of(SimNode node) {
    return IntStream.range(0, at.size()).filter(i -> node.equals(at.get(i))).boxed().toList();
  }

  /** A node looks whether some had better go. */
  void round(SimIngest node, SimBalance balance) {
    List<NodeInfo> others =
        node.membership()
            .known()
            .with(Role.INGEST)
            .filter(other -> !other.nodeId().equals(node.id))
            .toList();
    balance.round(
        node.load(),
        others,
        of(node),
        BYTES_PER_SECOND,
        (sender, to) -> {
          if (!cluster.makes(Mistake.KEEP_SENDERS)) {
            cluster.node(to.nodeId()).filter(open()::contains).ifPresent(n -> at.set(sender, n));
          }
        });
  }

  /** They are spread evenly. */
  void check() {
    List<SimNode> open = open();
    double mean = (double) at.size() / open.size();
    for (SimNode node : open) {
      if (count(node) > Math.max(mean * SimBalance.BEGIN * SimBalance.BEGIN, mean + 2)) {
        throw new SimCluster.Violation(
            "%s has %d of %d senders long after all is well, of %d nodes"
                .formatted(node, count(node), at.size(), open.size()));
      }
    }
  }
}

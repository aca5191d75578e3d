package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Where a simulated ingest node sends its senders: the node's own class. */
public final class SimBalance {
  /** Up to which load senders stay, as a part of that of the least loaded node. */
  public static final double BEGIN = LoadBalance.BEGIN;

  private final LoadBalance balance;

  /** A node that starts. */
  public SimBalance(RandomGenerator random, LongSupplier nanoTime) {
    balance = new LoadBalance(random, nanoTime);
  }

  /**
   * Decides for a round.
   *
   * @param senders numbers of those that are here, each of which sends as much
   * @param go is told who goes, and where to
   */
  public void round(
      NodeLoad own,
      List<NodeInfo> others,
      List<Integer> senders,
      double bytesPerSecond,
      BiConsumer<Integer, NodeInfo> go) {
    List<LoadBalance.Sender<Integer>> all =
        senders.stream().map(number -> new LoadBalance.Sender<>(number, bytesPerSecond)).toList();
    balance.round(own, others, all).forEach(move -> go.accept(move.sender(), move.to()));
  }
}

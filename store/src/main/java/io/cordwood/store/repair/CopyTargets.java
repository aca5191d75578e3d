package io.cordwood.store.repair;

import io.cordwood.store.StorePeer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Chooses which stores get copies: of two random ones the emptier, none that failed in this round.
 * One thread.
 */
final class CopyTargets {
  private final List<StorePeer> peers;
  private final RandomGenerator random;
  private final Set<StorePeer> failed = new HashSet<>();

  CopyTargets(List<StorePeer> peers, RandomGenerator random) {
    this.peers = peers;
    this.random = random;
  }

  /**
   * Some stores that are not among the holders, each once.
   *
   * @param wanted number of stores, or all that there are if they are fewer
   * @param labelled whether they have to take labels
   */
  List<StorePeer> choose(BitSet holders, int wanted, boolean labelled) {
    List<StorePeer> left = new ArrayList<>();
    for (int i = 0; i < peers.size(); i++) {
      StorePeer peer = peers.get(i);
      if (!holders.get(i) && !failed.contains(peer) && (!labelled || peer.readsLabels())) {
        left.add(peer);
      }
    }
    List<StorePeer> chosen = new ArrayList<>();
    while (chosen.size() < wanted && !left.isEmpty()) {
      StorePeer one = left.get(random.nextInt(left.size()));
      StorePeer other = left.get(random.nextInt(left.size()));
      StorePeer emptier = one.fullness() <= other.fullness() ? one : other;
      chosen.add(emptier);
      left.remove(emptier);
    }
    return chosen;
  }

  void failed(StorePeer peer) {
    failed.add(peer);
  }
}

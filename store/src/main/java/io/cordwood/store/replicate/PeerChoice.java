package io.cordwood.store.replicate;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StorePeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Which store gets the next replica: of two random ones the emptier. So all get their share, an
 * empty one is filled in time, and no store is overrun by all others at once because it seems the
 * best to each. One that failed lately comes only when there is no other. Safe for all threads.
 */
public final class PeerChoice {
  /** How long a peer that failed is left alone, if there are others. */
  private static final Duration AVOIDED = Duration.ofSeconds(10);

  private final KnownPeers neighbours;
  private final RandomGenerator random;
  private final LongSupplier nanoTime;
  private final Map<String, Long> failedNanos = new ConcurrentHashMap<>();

  /**
   * @param random safe for all threads
   * @param nanoTime that only ever goes on, as {@link System#nanoTime}
   */
  public PeerChoice(KnownPeers neighbours, RandomGenerator random, LongSupplier nanoTime) {
    this.neighbours = neighbours;
    this.random = random;
    this.nanoTime = nanoTime;
  }

  /**
   * Another store than those named, by their ids; empty if there is none.
   *
   * @param labelled whether it has to take labels
   */
  Optional<StorePeer> next(Set<String> tried, boolean labelled) {
    long now = nanoTime.getAsLong();
    failedNanos.values().removeIf(at -> now - at > AVOIDED.toNanos());
    List<StorePeer> others = new ArrayList<>(neighbours.otherStores());
    others.removeIf(peer -> tried.contains(peer.nodeId()));
    others.removeIf(peer -> labelled && !peer.readsLabels());
    List<StorePeer> good = new ArrayList<>(others);
    good.removeIf(peer -> failedNanos.containsKey(peer.nodeId()));
    return emptierOfTwo(good.isEmpty() ? others : good);
  }

  private Optional<StorePeer> emptierOfTwo(List<StorePeer> peers) {
    if (peers.isEmpty()) {
      return Optional.empty();
    }
    StorePeer one = peers.remove(random.nextInt(peers.size()));
    if (peers.isEmpty()) {
      return Optional.of(one);
    }
    StorePeer other = peers.get(random.nextInt(peers.size()));
    return Optional.of(other.fullness() < one.fullness() ? other : one);
  }

  void failed(StorePeer peer) {
    failedNanos.put(peer.nodeId(), nanoTime.getAsLong());
  }
}

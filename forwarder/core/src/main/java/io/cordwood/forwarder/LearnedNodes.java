package io.cordwood.forwarder;

import io.cordwood.common.wire.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The nodes that a forwarder was told of by others, over all its connections: at most {@link #MAX},
 * and none that nobody told of for ten minutes. One that could not be reached is left alone, first
 * for a minute, then for twice as long each time, for an hour at most. Owned by the sender thread.
 */
final class LearnedNodes {
  static final int MAX = 64;
  static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long MIN_ASIDE_NANOS = TimeUnit.MINUTES.toNanos(1);
  static final long MAX_ASIDE_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int MAX_DOUBLINGS = 6;

  private final LongSupplier nanoTime;
  private final Map<String, Learned> byId = new LinkedHashMap<>();
  private final Map<Target, Aside> aside =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Target, Aside> eldest) {
          return size() > MAX;
        }
      };

  private record Learned(Target target, Load load, long toldNanos) {}

  private record Aside(int failures, long endNanos) {}

  LearnedNodes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Takes what was told; how many were passed over, since there are too many. */
  int learn(Map<String, AdvertisedNodes.Other> told) {
    int ignored = 0;
    long now = nanoTime.getAsLong();
    byId.values().removeIf(node -> now - node.toldNanos > MEMORY_NANOS);
    for (AdvertisedNodes.Other node : told.values()) {
      if (byId.size() < MAX || byId.containsKey(node.id())) {
        byId.put(node.id(), new Learned(node.address(), node.load(), now));
      } else {
        ignored++;
      }
    }
    return ignored;
  }

  /** Whether a connection to that address may be tried now. */
  boolean isUsable(Target target) {
    Aside left = aside.get(target);
    return left == null || nanoTime.getAsLong() - left.endNanos >= 0;
  }

  /** Some that may be tried now, those with the fewest connections first. */
  List<Target> some(int most, Set<Target> without) {
    long now = nanoTime.getAsLong();
    List<Learned> usable = new ArrayList<>(byId.values());
    usable.removeIf(node ->
        now - node.toldNanos > MEMORY_NANOS
            || without.contains(node.target)
            || !isUsable(node.target));
    usable.sort(Comparator.comparingLong(node -> node.load.connections()));
    Set<Target> distinct = new HashSet<>();
    usable.removeIf(node -> !distinct.add(node.target));
    return usable.stream().limit(most).map(Learned::target).toList();
  }

  /** A connection there could not be made, or was lost. */
  void failed(Target target) {
    Aside before = aside.remove(target);
    int failures = before == null ? 0 : Math.min(before.failures + 1, MAX_DOUBLINGS);
    long nanos = Math.min(MIN_ASIDE_NANOS << failures, MAX_ASIDE_NANOS);
    long shortened = (long) (nanos * ThreadLocalRandom.current().nextDouble(0.8, 1));
    aside.put(target, new Aside(failures, nanoTime.getAsLong() + shortened));
  }

  /** A connection there is of use. */
  void worked(Target target) {
    aside.remove(target);
  }
}

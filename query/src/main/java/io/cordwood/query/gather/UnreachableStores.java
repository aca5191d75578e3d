package io.cordwood.query.gather;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Stores that a query of this node was lately answered without, since they were silent: the next
 * ones do not wait for the same silence again. A store is one of them until it says something, and
 * for a few seconds at most: then it is waited for again, as long as any other. For all threads.
 */
final class UnreachableStores {
  static final Duration KEPT = Duration.ofSeconds(10);

  private final Map<String, Long> sinceNanos = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  /**
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  UnreachableStores(LongSupplier clock) {
    this.clock = clock;
  }

  /** A query is answered without it. */
  void add(String nodeId) {
    long now = clock.getAsLong();
    sinceNanos.values().removeIf(since -> isOver(since, now));
    sinceNanos.putIfAbsent(nodeId, now);
  }

  void heard(String nodeId) {
    sinceNanos.remove(nodeId);
  }

  boolean has(String nodeId) {
    Long since = sinceNanos.get(nodeId);
    return since != null && !isOver(since, clock.getAsLong());
  }

  private static boolean isOver(long since, long now) {
    return now - since >= KEPT.toNanos();
  }
}

package io.cordwood.store.repair;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which other stores count as there. One that does not answer may come back with all it holds, so
 * it is waited for, up to a bound; so is, after a start, whoever may still be starting. One thread.
 */
final class AwaitedStores {
  private final long boundNanos;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final Map<String, Long> answeredNanos = new HashMap<>();

  /**
   * @param nanoTime that only ever goes on, as {@link System#nanoTime}
   */
  AwaitedStores(Duration bound, LongSupplier nanoTime) {
    this.boundNanos = bound.toNanos();
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /**
   * Notes who is said to be there and who answered.
   *
   * @return whether somebody is to be waited for
   */
  boolean note(Collection<String> listed, Collection<String> answered) {
    long now = nanoTime.getAsLong();
    listed.forEach(id -> answeredNanos.putIfAbsent(id, now));
    answered.forEach(id -> answeredNanos.put(id, now));
    Set<String> present = new HashSet<>(listed);
    answeredNanos
        .entrySet()
        .removeIf(e -> !present.contains(e.getKey()) && isBeyond(now, e.getValue()));
    Set<String> heard = new HashSet<>(answered);
    return !isBeyond(now, startNanos)
        || answeredNanos.entrySet().stream()
            .anyMatch(e -> !heard.contains(e.getKey()) && !isBeyond(now, e.getValue()));
  }

  private boolean isBeyond(long now, long since) {
    return now - since > boundNanos;
  }
}

package io.cordwood.store.repair;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The other stores that this one may need: all that it has seen, until a comparison without one has
 * covered all that was there when it was last seen. What was there when this store started it may
 * share with anybody. Safe for all threads.
 *
 * <p>Whoever is seen is needed at once, and before anything is shared with it; whoever is not is
 * needed no more only by what a comparison has found.
 */
public final class KnownPartners {
  /** Stands for a store that was there at the last look. */
  private static final Instant THERE = Instant.MAX;

  private final Supplier<Instant> newest;

  /** The newest time at which something may be shared, by node id. */
  private final Map<String, Instant> sharedUntil = new HashMap<>();

  private Instant sharedWithAnybodyUntil;

  /**
   * @param newest of the times of all records that are there; {@link Instant#MIN} if there are none
   */
  public KnownPartners(Supplier<Instant> newest) {
    this.newest = newest;
    this.sharedWithAnybodyUntil = newest.get();
  }

  /** The newest of the times of all records that are there; {@link Instant#MIN} if none are. */
  Instant newest() {
    return newest.get();
  }

  /** A store that sends something, or that something may be sent to. */
  public synchronized void seen(String nodeId) {
    sharedUntil.put(nodeId, THERE);
  }

  /** All stores that there are now. */
  synchronized void look(Collection<String> nodeIds) {
    nodeIds.forEach(this::seen);
    Set<String> present = Set.copyOf(nodeIds);
    sharedUntil.replaceAll(
        (id, until) -> until.equals(THERE) && !present.contains(id) ? newest.get() : until);
  }

  /**
   * It is known which of all records that are here have their copies on these stores.
   *
   * @param before but for those of this time and later
   */
  synchronized void compared(Set<String> with, Instant before) {
    sharedUntil
        .entrySet()
        .removeIf(it -> !with.contains(it.getKey()) && it.getValue().isBefore(before));
    if (sharedWithAnybodyUntil.isBefore(before)) {
      sharedWithAnybodyUntil = Instant.MIN;
    }
  }

  /** Their node ids; empty if it may be anybody. */
  synchronized Optional<Set<String>> ids() {
    return sharedWithAnybodyUntil.equals(Instant.MIN)
        ? Optional.of(Set.copyOf(sharedUntil.keySet()))
        : Optional.empty();
  }
}

package io.cordwood.dist.server;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.deletion.Tombstones;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Which deletions are in no file of a node any more. One thread looks; any may ask. */
final class DeletionProgress {
  private final Deletions deletions;
  private final LongFunction<Optional<String>> notCarriedOut;
  private final DeletionAudit audit;
  private volatile State state = new State(Tombstones.NONE, "this node is starting");

  /**
   * @param done those that are carried out
   * @param waits why others are not
   */
  private record State(Tombstones done, String waits) {}

  /**
   * A deletion, and how far it is.
   *
   * @param waits why it is not carried out here yet; empty if it is
   */
  record Seen(Tombstone tombstone, Optional<String> waits) {}

  /**
   * @param notCarriedOut why those of a sum are not; empty if they are
   */
  DeletionProgress(
      Deletions deletions,
      LongFunction<Optional<String>> notCarriedOut,
      DeletionAudit audit,
      MeterRegistry registry) {
    this.deletions = deletions;
    this.notCarriedOut = notCarriedOut;
    this.audit = audit;
    Gauge.builder(
            "cordwood.deletions.waiting",
            () -> Math.max(0, deletions.known().size() - state.done.size()))
        .description("Deletions that this node has not carried out yet")
        .register(registry);
  }

  /** Looks once. */
  void look() {
    Tombstones known = deletions.known();
    Optional<String> waits = notCarriedOut.apply(known.sum());
    Tombstones done = waits.isEmpty() ? known : state.done;
    state = new State(done, waits.orElse("it was not looked at yet"));
    audit.carriedOut(done);
  }

  /** All that this node knows, in the order in which they were asked for. */
  List<Seen> all() {
    State now = state;
    Set<Tombstone> done = now.done.all().stream().collect(Collectors.toUnmodifiableSet());
    return deletions.known().all().stream()
        .map(it -> new Seen(it, done.contains(it) ? Optional.empty() : Optional.of(now.waits)))
        .toList();
  }
}

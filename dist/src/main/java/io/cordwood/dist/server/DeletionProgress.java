package io.cordwood.dist.server;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which deletions are in no file of a node any more. One thread looks; any may ask, which looks,
 * too.
 */
final class DeletionProgress {
  private final Deletions deletions;
  private final Consumer<WaitingDeletions> parts;
  private final DeletionAudit audit;
  private volatile WaitingDeletions seen = new WaitingDeletions(Tombstones.NONE);

  /**
   * A deletion, and how far it is.
   *
   * @param waits why it is not carried out here yet; empty if it is
   */
  record Seen(Tombstone tombstone, Optional<String> waits) {}

  /**
   * @param parts of the node, each of which tells what may be in its files
   */
  DeletionProgress(
      Deletions deletions,
      Consumer<WaitingDeletions> parts,
      DeletionAudit audit,
      MeterRegistry registry) {
    this.deletions = deletions;
    this.parts = parts;
    this.audit = audit;
    Gauge.builder("cordwood.deletions.waiting", this::waiting).register(registry);
  }

  private int waiting() {
    return Math.max(0, deletions.known().size() - seen.carriedOut().size());
  }

  /** Looks once, and enters in the audit log what is carried out. */
  void look() {
    WaitingDeletions now = now();
    seen = now;
    audit.carriedOut(now.carriedOut());
  }

  private WaitingDeletions now() {
    var waiting = new WaitingDeletions(deletions.known());
    parts.accept(waiting);
    return waiting;
  }

  /** All that this node knows now, in the order in which they were asked for. */
  List<Seen> all() {
    WaitingDeletions now = now();
    return now.known().all().stream().map(it -> new Seen(it, now.why(it))).toList();
  }
}

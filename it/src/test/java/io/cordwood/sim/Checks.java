package io.cordwood.sim;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.Verdict;
import io.cordwood.sim.SimCluster.Violation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold at each event, at each answer, and when all has been well for a while. */
final class Checks {
  /** By which a time in a batch may be wrong for the batch to be compared with others in time. */
  private static final Duration RIGHT = Duration.ofMinutes(5);

  private final SimCluster cluster;

  /**
   * Batches that stores lost with a disk that was put back, until they have all copies again: as
   * many as were wanted at most since then. A proof of two copies outlives the day on which one is
   * wanted.
   */
  private final Map<BatchInfo, Integer> lostWithDisks = new HashMap<>();

  Checks(SimCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * A segment may be deleted where it came from only when its copies are forced.
   *
   * @param copies that the store that consumed it makes
   */
  void committed(SimNode node, Collection<BatchInfo> batches, int copies) {
    for (BatchInfo batch : batches) {
      int made = cluster.ledger.copies(batch);
      if (made < copies) {
        throw new Violation(
            "%s: %s was committed with %d of %d copies"
                .formatted(node, batch.first(), made, copies));
      }
    }
  }

  /** A store has after a loss of power what it had said to have. */
  void kept(SimStore store) {
    cluster
        .ledger
        .lacking(store.id, store.stored().all())
        .ifPresent(batch -> {
          throw new Violation("%s: %s was acknowledged there and is gone".formatted(store, batch));
        });
  }

  /** An older disk was put into a store. */
  void lostWithDisk(SimStore store, Collection<BatchInfo> batches) {
    cluster.ledger.released(batches, store.id);
    batches.forEach(batch -> lostWithDisks.merge(batch, cluster.copies(), Math::max));
  }

  /**
   * Nothing goes before its time by a right clock. If a store's clock was set, its present may have
   * gone on twice as fast since it was last looked at; if no clock at all was right, nothing is
   * promised.
   */
  void deleted(SimStore store, Collection<BatchInfo> batches) {
    cluster.ledger.released(batches, store.id);
    Duration least = store.hasSteadyClock() ? cluster.retention() : shortest();
    for (BatchInfo batch : batches) {
      cluster
          .ledger
          .find(batch)
          .map(this::age)
          .filter(age -> age.compareTo(least) < 0)
          .ifPresent(age -> {
            throw new Violation(
                "%s: deletes %s of %s, which is %s old instead of %s"
                    .formatted(store, batch.first(), cluster.origin(batch), age, least));
          });
    }
  }

  private Duration age(Ledger.Acknowledged each) {
    return Duration.ofNanos(cluster.sim.nanos() - each.nanos());
  }

  /** After which a batch may be gone. */
  private Duration shortest() {
    if (cluster.areStampsRight()) {
      return cluster.retention().minusNanos(SimStore.BETWEEN_DELETIONS).dividedBy(2);
    }
    return cluster.areStoresRight() ? cluster.retention() : Duration.ZERO;
  }

  private boolean mustBeThere(Ledger.Acknowledged each) {
    return cluster.retention().equals(SimCluster.FOR_EVER)
        || age(each).plus(RIGHT).compareTo(shortest()) < 0;
  }

  /** What answers must have from now on. */
  Due due() {
    lostWithDisks.replaceAll((batch, wanted) -> Math.max(wanted, cluster.copies()));
    lostWithDisks.entrySet().removeIf(each -> living(each.getKey()) >= each.getValue());
    return new Due(cluster.ledger.count(), Set.copyOf(lostWithDisks.keySet()));
  }

  /**
   * What an answer must have: all that was acknowledged before it was asked for.
   *
   * @param acknowledged how many batches
   * @param lostWithDisks but for these
   */
  record Due(int acknowledged, Set<BatchInfo> lostWithDisks) {}

  /**
   * An answer that is called complete has all that was due.
   *
   * @param found numbers of batches
   */
  void complete(SimNode node, Due due, BitSet found, Verdict verdict) {
    for (Ledger.Acknowledged each : cluster.ledger.first(due.acknowledged())) {
      if (!found.get(each.number())
          && mustBeThere(each)
          && !due.lostWithDisks().contains(each.batch())
          && !lostWithDisks.containsKey(each.batch())) {
        throw new Violation(
            "%s: an answer is called complete and lacks %s, which %s acknowledged; it is on %s; %s"
                .formatted(
                    node, each.batch().first(), each.node(), holders(each.batch()), verdict));
      }
    }
  }

  /** The stores that can give a batch, whether they run or not. */
  long living(BatchInfo batch) {
    return cluster.present().filter(node -> isStored(node, batch)).count();
  }

  /** Whether all that any store has is on as many as it should be. */
  boolean allHaveCopies() {
    return cluster
        .present()
        .filter(SimStore.class::isInstance)
        .flatMap(store -> ((SimStore) store).stored().all().stream())
        .distinct()
        .allMatch(batch -> living(batch) >= cluster.copies());
  }

  private static boolean isStored(SimNode node, BatchInfo batch) {
    return node instanceof SimStore store && store.stored().canGive(batch);
  }

  private List<String> holders(BatchInfo batch) {
    List<String> holders = new ArrayList<>();
    for (SimNode node : cluster.nodes()) {
      if (isStored(node, batch)
          || (node instanceof SimIngest ingest && ingest.isUp() && isHeld(ingest, batch))) {
        holders.add(node + (node.isGone() ? " (lost)" : node.isUp() ? "" : " (down)"));
      }
    }
    return holders;
  }

  private boolean isHeld(SimIngest node, BatchInfo batch) {
    try {
      return node.held().get(cluster.ledger.number(batch));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a store goes on saying that it lacks what damage took: with one copy, nothing tells
   * whether it came back; and what is not compared yet has no copies yet.
   */
  private boolean isDoubtfulForGood() {
    return cluster
        .present()
        .filter(SimStore.class::isInstance)
        .flatMap(node -> ((SimStore) node).stored().damage().stream())
        .anyMatch(damage -> cluster.copies() == 1 || waitsForItsTime(damage));
  }

  private boolean waitsForItsTime(UlidRange damage) {
    return cluster.ledger.first(cluster.ledger.count()).stream()
        .anyMatch(each ->
            damage.contains(each.batch().first())
                && living(each.batch()) < cluster.copies()
                && !isComparedInTime(each));
  }

  /** After all has been well for a while. */
  void healed() {
    int copies = cluster.copies();
    for (Ledger.Acknowledged each : cluster.ledger.first(cluster.ledger.count())) {
      if (living(each.batch()) < copies && mustBeThere(each) && isComparedInTime(each)) {
        throw new Violation(
            "%s, acknowledged by %s, has %d of %d copies long after all is well; it is on %s"
                .formatted(
                    each.batch().first(),
                    each.node(),
                    living(each.batch()),
                    copies,
                    holders(each.batch())));
      }
    }
    cluster.present().forEach(this::healed);
    cluster.senders().check();
  }

  /** Stores compare batches when they are old by their own clocks. */
  private boolean isComparedInTime(Ledger.Acknowledged each) {
    Duration ahead = Duration.between(cluster.sim.at(each.nanos()), each.batch().first().time());
    return ahead.abs().compareTo(RIGHT) < 0;
  }

  private void healed(SimNode node) {
    if (node instanceof SimIngest ingest && ingest.backlog() > 0) {
      throw new Violation(node + " holds " + ingest.backlog() + " still");
    }
    Optional<Verdict> last = node instanceof SimQuery query ? query.last() : Optional.empty();
    if (node instanceof SimQuery
        && !cluster.hasLostStores()
        && !isDoubtfulForGood()
        && last.stream().noneMatch(Verdict::isComplete)) {
      throw new Violation(node + " answers long after all is well: " + last);
    }
  }
}

package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The contents of all stores, slice by slice, as they said when they were asked.
 *
 * <p>Out of reach are slices that are not settled, since they may still be on their way; and slices
 * at or beyond any store's horizon, so that nothing is brought back that is to go. So are batches
 * of topics whose horizon is a later one. Immutable.
 */
final class ComparedSlices {
  private final String nodeId;
  private final int copies;
  private final SliceTable own;
  private final Map<StorePeer, SliceTable> others;
  private final List<StorePeer> peers;
  private final List<Hashed> hashed;
  private final Instant settled;
  private final Instant horizon;
  private final Set<String> copiers;

  /** Another store's table, and the hash of its node id. */
  private record Hashed(long nodeId, SliceTable table) {}

  /**
   * @param nodeId of this store
   * @param copies that there should be of each batch
   * @param others of all other stores that count
   * @param settled records before this time can be compared
   */
  ComparedSlices(
      String nodeId,
      int copies,
      SliceTable own,
      Map<StorePeer, SliceTable> others,
      Instant settled) {
    this.nodeId = nodeId;
    this.copies = copies;
    this.own = own;
    this.others = others;
    this.peers = List.copyOf(others.keySet());
    this.hashed = inOrderOfNodeIds(others);
    this.settled = settled;
    this.horizon = all().map(SliceTable::horizon).max(Comparator.naturalOrder()).orElseThrow();
    this.copiers = ableToCopy();
  }

  private static List<Hashed> inOrderOfNodeIds(Map<StorePeer, SliceTable> others) {
    return others.entrySet().stream()
        .sorted(Comparator.comparing(it -> it.getKey().nodeId()))
        .map(it -> new Hashed(Fingerprint.hash(it.getKey().nodeId()), it.getValue()))
        .toList();
  }

  private Set<String> ableToCopy() {
    var able = new HashSet<String>();
    if (own.copies()) {
      able.add(nodeId);
    }
    others.forEach((peer, table) -> {
      if (table.copies()) {
        able.add(peer.nodeId());
      }
    });
    return Set.copyOf(able);
  }

  private Stream<SliceTable> all() {
    return Stream.concat(others.values().stream(), Stream.of(own));
  }

  int copies() {
    return copies;
  }

  SliceTable own() {
    return own;
  }

  /** The other stores. */
  List<StorePeer> peers() {
    return peers;
  }

  /** The ids of those that can copy. */
  Set<String> copiers() {
    return copiers;
  }

  /** Own slices: some of them, then all, the newest first. */
  Set<Long> inOrder(Set<Long> first) {
    Set<Long> slices = new LinkedHashSet<>(first);
    slices.retainAll(own.slices().keySet());
    slices.addAll(own.slices().descendingKeySet());
    return slices;
  }

  /** Whether a batch is within reach by the time for which its topic is kept. */
  private boolean isKept(BatchInfo batch) {
    Instant begins = batch.first().time().minusMillis(own.lengthMillis());
    return all().noneMatch(table -> begins.isBefore(table.horizons().of(batch.topic())));
  }

  /** Whole slices only, and one slice apart from the horizon, which moves on meanwhile. */
  boolean isInReach(long slice) {
    return !own.start(slice - 1).isBefore(horizon) && !isYoung(slice);
  }

  boolean isYoung(long slice) {
    return own.start(slice + 1).isAfter(settled);
  }

  /** Whether all stores know what they hold of it. */
  boolean isKnown(long slice) {
    return all().allMatch(table -> table.isKnown(slice));
  }

  /** The time before which all stores know what they hold and had to; empty if one does not. */
  Optional<Instant> knownBefore() {
    Instant last = own.start(Math.floorDiv(settled.toEpochMilli(), own.lengthMillis()));
    return all().allMatch(table -> table.knowsAllBefore(last))
        ? Optional.of(last)
        : Optional.empty();
  }

  /** Whether enough stores hold the same of it as this one. */
  boolean isTheSame(long slice) {
    Fingerprint print = own.get(slice);
    return others.values().stream().filter(table -> table.get(slice).equals(print)).count()
        >= copies - 1;
  }

  /** A number that is another one if any store holds something else of a slice. */
  long view(long slice) {
    long hash = own.get(slice).hash(copies);
    for (Hashed other : hashed) {
      hash = other.table.get(slice).hash(hash ^ other.nodeId);
    }
    return hash;
  }

  UlidRange range(long slice) {
    return new UlidRange(
        Ulid.firstOf(own.start(slice).toEpochMilli()),
        Ulid.lastOf(own.start(slice + 1).toEpochMilli() - 1));
  }

  /** A comparison of one slice, batch by batch. */
  SliceCheck check() {
    return new SliceCheck(nodeId, copies, peers, copiers::contains, this::isKept);
  }

  /** A comparison of a range, of what any of these stores holds. */
  CopyCheck copyCheck() {
    return new CopyCheck(copies, peers, this::isKept);
  }
}

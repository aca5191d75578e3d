package io.cordwood.sim;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.MissingRanges;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The disk of a store: the batches that are durable there, those that rot, and what that took. */
final class StoredBatches {
  private static final int MOST_ROT = 5;

  private final InstantSource clock;
  private final Ledger ledger;

  /** When each batch was written, by the store's clock. */
  private final TreeMap<BatchInfo, Instant> written = new TreeMap<>();

  private final Set<BatchInfo> rotten = new HashSet<>();

  /** The numbers of those that can be read. */
  private final BitSet readable = new BitSet();

  /** What all of them add up to; none since some were removed. */
  private SliceSums.@Nullable Builder sums;

  /** What is set aside as damaged: names of files, and what they lack. */
  private final Map<String, UlidRange> damaged = new TreeMap<>();

  private Map<BatchInfo, Instant> snapshot = Map.of();
  private Map<String, UlidRange> damagedThen = Map.of();
  private int files;

  StoredBatches(InstantSource clock, Ledger ledger) {
    this.clock = clock;
    this.ledger = ledger;
  }

  /** Rotten ones, too. */
  NavigableSet<BatchInfo> all() {
    return Collections.unmodifiableNavigableSet(written.navigableKeySet());
  }

  /** When each was written. */
  Map<BatchInfo, Instant> written() {
    return Collections.unmodifiableMap(written);
  }

  Set<BatchInfo> rotten() {
    return Set.copyOf(rotten);
  }

  /** Whether a batch is there and can be read. */
  boolean canGive(BatchInfo batch) {
    return written.containsKey(batch) && !rotten.contains(batch);
  }

  /** The numbers of those that can be read, as of now. */
  BitSet readable() {
    return (BitSet) readable.clone();
  }

  void add(Collection<BatchInfo> batches) {
    for (BatchInfo batch : batches) {
      rotten.remove(batch);
      boolean isNew = written.putIfAbsent(batch, clock.instant()) == null;
      if (isNew && sums != null) {
        sums.add(batch, batch.bytes());
      }
      readable.set(ledger.number(batch));
    }
  }

  /**
   * What all of them add up to.
   *
   * @param sliceMillis the length of a slice, each time as long
   */
  SliceSums sums(long sliceMillis) {
    if (sums == null) {
      sums = new SliceSums.Builder(sliceMillis);
      for (BatchInfo batch : written.keySet()) {
        sums.add(batch, batch.bytes());
      }
    }
    return sums.build();
  }

  void remove(Collection<BatchInfo> batches) {
    sums = null;
    for (BatchInfo batch : batches) {
      rotten.remove(batch);
      written.remove(batch);
      readable.clear(ledger.number(batch));
    }
  }

  /** What is rotten is set aside. */
  void setAside(MissingRanges lacks) {
    UlidRange range =
        rotten.stream()
            .map(batch -> new UlidRange(batch.first(), batch.first()))
            .reduce(UlidRange::union)
            .orElseThrow();
    String name = "damaged-" + files++;
    lacks.damaged(name, range);
    remove(rotten());
    damaged.put(name, range);
    lacks.setAside(name, range);
  }

  /** What a process that starts finds of damage. */
  MissingRanges lacks() {
    var found = new MissingRanges();
    damaged.forEach(found::setAside);
    return found;
  }

  /** All that was lost with a file has its copies. */
  void restored(String name) {
    damaged.remove(name);
  }

  /** The ranges of files that damage took and that are not restored. */
  List<UlidRange> damage() {
    return List.copyOf(damaged.values());
  }

  /** Some that lie side by side can be read no more. */
  void rot(SplittableRandom faults) {
    if (!written.isEmpty()) {
      written.keySet().stream()
          .skip(faults.nextInt(written.size()))
          .limit(1 + faults.nextInt(MOST_ROT))
          .forEach(batch -> {
            rotten.add(batch);
            readable.clear(ledger.number(batch));
          });
    }
  }

  void takeSnapshot() {
    snapshot = Map.copyOf(written);
    damagedThen = Map.copyOf(damaged);
  }

  /** What was there at the snapshot is there again; the batches that are gone by that. */
  List<BatchInfo> putBack() {
    List<BatchInfo> lost =
        written.keySet().stream().filter(batch -> !snapshot.containsKey(batch)).toList();
    sums = null;
    rotten.clear();
    written.clear();
    written.putAll(snapshot);
    readable.clear();
    written.keySet().forEach(batch -> readable.set(ledger.number(batch)));
    damaged.clear();
    damaged.putAll(damagedThen);
    return lost;
  }
}

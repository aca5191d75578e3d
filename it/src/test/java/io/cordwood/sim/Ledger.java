package io.cordwood.sim;

import io.cordwood.common.segment.BatchInfo;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All batches that were acknowledged, and who was seen to hold them: the simulator's oracle. */
final class Ledger {
  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private final Map<BatchInfo, Acknowledged> byBatch = new HashMap<>();
  private final Map<BatchInfo, Set<String>> copies = new HashMap<>();
  private final Map<String, Set<BatchInfo>> promised = new HashMap<>();
  private final Set<BatchInfo> excused = new HashSet<>();
  private final Map<BatchInfo, Integer> numbers = new HashMap<>();

  /**
   * A batch that its sender may forget.
   *
   * @param number as of {@link #number}
   * @param node that took it
   * @param durable whether it promised to keep it though power is lost
   * @param nanos when that was
   */
  record Acknowledged(BatchInfo batch, int number, String node, boolean durable, long nanos) {}

  void acknowledged(BatchInfo batch, String node, boolean durable, long nanos) {
    var each = new Acknowledged(batch, number(batch), node, durable, nanos);
    acknowledged.add(each);
    byBatch.put(batch, each);
  }

  /** A batch's number, by which sets of many batches are bits. */
  int number(BatchInfo batch) {
    return numbers.computeIfAbsent(batch, _ -> numbers.size());
  }

  Optional<Acknowledged> find(BatchInfo batch) {
    return Optional.ofNullable(byBatch.get(batch));
  }

  /** A store has it, durably. */
  void stored(BatchInfo batch, String store) {
    copies.computeIfAbsent(batch, _ -> new HashSet<>()).add(store);
    promised.computeIfAbsent(store, _ -> new HashSet<>()).add(batch);
  }

  /** A store need not have these any more. */
  void released(Collection<BatchInfo> batches, String store) {
    promised.getOrDefault(store, Set.of()).removeAll(batches);
  }

  /** A batch that a store said it had, and has not; empty if there is none. */
  Optional<BatchInfo> lacking(String store, Set<BatchInfo> held) {
    return promised.getOrDefault(store, Set.of()).stream()
        .filter(batch -> !held.contains(batch))
        .min(Comparator.naturalOrder());
  }

  /** The number of stores that ever had it. */
  int copies(BatchInfo batch) {
    return copies.getOrDefault(batch, Set.of()).size();
  }

  int count() {
    return acknowledged.size();
  }

  /** A node has lost power: what it did not promise to keep then may be gone. */
  void excuse(String node, BitSet present) {
    for (Acknowledged each : acknowledged) {
      if (!each.durable
          && each.node.equals(node)
          && copies(each.batch) == 0
          && !present.get(each.number)) {
        excused.add(each.batch);
      }
    }
  }

  /** The first batches that have to be somewhere; to be read before there are more. */
  List<Acknowledged> first(int count) {
    List<Acknowledged> all = Collections.unmodifiableList(acknowledged.subList(0, count));
    if (excused.isEmpty()) {
      return all;
    }
    return all.stream().filter(each -> !excused.contains(each.batch)).toList();
  }
}

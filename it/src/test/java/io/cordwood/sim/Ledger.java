package io.cordwood.sim;

import io.cordwood.common.segment.BatchInfo;
import java.util.ArrayList;
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
  private final Map<BatchInfo, Set<String>> copies = new HashMap<>();
  private final Set<BatchInfo> excused = new HashSet<>();

  /**
   * A batch that its sender may forget.
   *
   * @param node that took it
   * @param durable whether it promised to keep it though power is lost
   */
  record Acknowledged(BatchInfo batch, String node, boolean durable) {}

  void acknowledged(BatchInfo batch, String node, boolean durable) {
    acknowledged.add(new Acknowledged(batch, node, durable));
  }

  /** A store has it, durably. */
  void stored(BatchInfo batch, String store) {
    copies.computeIfAbsent(batch, _ -> new HashSet<>()).add(store);
  }

  /** A batch that a store said it had, and has not; empty if there is none. */
  Optional<BatchInfo> lacking(String store, Set<BatchInfo> held) {
    return copies.entrySet().stream()
        .filter(entry -> entry.getValue().contains(store))
        .map(Map.Entry::getKey)
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
  void excuse(String node, Set<BatchInfo> present) {
    for (Acknowledged each : acknowledged) {
      if (!each.durable
          && each.node.equals(node)
          && copies(each.batch) == 0
          && !present.contains(each.batch)) {
        excused.add(each.batch);
      }
    }
  }

  /** The first batches that have to be somewhere. */
  List<Acknowledged> first(int count) {
    return acknowledged.subList(0, count).stream()
        .filter(each -> !excused.contains(each.batch))
        .toList();
  }
}

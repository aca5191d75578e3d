package io.cordwood.query.gather;

import io.cordwood.common.cluster.Partners;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.ClusterNodes.Gone;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stores that are gone and that no answer needs any more, one after the other: each of which
 * all others that are known, there or gone, but for those found before, have said that all their
 * records of the range have their copies without it. ADR 27 has the proof.
 */
final class NeedlessStores {
  /** Younger departures may be news to a store that is asked about them. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private NeedlessStores() {}

  /** A store, with what it said of itself when it was last heard. */
  private record Report(String nodeId, long replicatedFromMillis, Partners partners) {
    boolean hasCopies(UlidRange range) {
      return replicatedFromMillis <= range.from().millis();
    }

    boolean mayNeed(String other, UlidRange range) {
      return !nodeId.equals(other) && (!hasCopies(range) || partners.mayHave(other));
    }
  }

  /**
   * Their node ids.
   *
   * @param isStore whether the node that asks is a store
   */
  static Set<String> of(ClusterNodes nodes, boolean isStore, UlidRange range, Instant now) {
    List<Report> known = new ArrayList<>();
    nodes.stores().forEach(it -> known.add(said(it)));
    if (isStore) {
      nodes.self().ifPresent(it -> known.add(said(it)));
    }
    List<Report> gone = new ArrayList<>();
    for (Gone node : nodes.gone()) {
      if (node.stores()) {
        var said = new Report(node.nodeId(), node.replicatedFromMillis(), node.partners());
        known.add(said);
        if (!node.ingests() && node.since().isBefore(now.minus(SETTLED)) && said.hasCopies(range)) {
          gone.add(said);
        }
      }
    }
    return nodes.replicationFactor() < 2 || gone.size() > Partners.MAX
        ? Set.of()
        : oneByOne(known, gone, nodes.replicationFactor(), range);
  }

  private static Report said(ClusterNodes.Peer peer) {
    return new Report(peer.nodeId(), peer.replicatedFromMillis(), peer.partners());
  }

  private static Set<String> oneByOne(
      List<Report> known, List<Report> gone, int copies, UlidRange range) {
    Map<String, Set<String>> neededBy = new HashMap<>();
    for (Report each : gone) {
      neededBy.put(
          each.nodeId,
          known.stream()
              .filter(other -> other.mayNeed(each.nodeId, range))
              .map(Report::nodeId)
              .collect(Collectors.toSet()));
    }
    Set<String> needless = new HashSet<>();
    Optional<String> next = unneeded(neededBy);
    while (next.isPresent() && known.size() - needless.size() > copies) {
      String found = next.get();
      needless.add(found);
      neededBy.remove(found);
      neededBy.values().forEach(others -> others.remove(found));
      next = unneeded(neededBy);
    }
    return needless;
  }

  private static Optional<String> unneeded(Map<String, Set<String>> neededBy) {
    return neededBy.entrySet().stream()
        .filter(entry -> entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .findFirst();
  }
}

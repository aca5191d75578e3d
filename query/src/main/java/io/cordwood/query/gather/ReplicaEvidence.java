package io.cordwood.query.gather;

import io.cordwood.common.cluster.Partners;
import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.wire.KnownNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The nodes that only others know of, and what only others know of a store, as their answers say. A
 * node that has just joined has never met a store that was lost before, and must not take the rest
 * for all; one that stood still believes what a store said before. Safe for all threads.
 */
final class ReplicaEvidence {
  /** Two nodes that see a third one go say the same time, but for this. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  private final Verdicts own;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Instant> goneSince = new HashMap<>();
  private final Map<String, Gone> gone = new LinkedHashMap<>();
  private final Map<String, Long> replicatedFromBefore;
  private final Map<String, Long> replicatedFrom = new HashMap<>();
  private boolean isSeenLater;
  private Optional<String> doubt = Optional.empty();
  private volatile Verdicts verdicts;
  private volatile int spareStores;

  /**
   * @param own by the nodes that this one knows
   */
  ReplicaEvidence(Verdicts own) {
    this.own = own;
    this.replicatedFromBefore = own.nodes().replicatedFrom();
    this.verdicts = own;
    this.spareStores = own.spareStores();
    known.add(own.self());
    own.nodes().gone().forEach(node -> goneSince.put(node.nodeId(), node.since()));
    own.nodes().known().forEach(node -> known.add(node.nodeId()));
  }

  /** Takes in whom a node knows. */
  synchronized void heard(String witness, List<KnownNode> told) {
    List<KnownNode> unmet = told.stream().filter(node -> !known.contains(node.nodeId())).toList();
    boolean isNews = !isSeenLater && told.stream().anyMatch(this::isSeenLater);
    isSeenLater |= isNews;
    for (KnownNode node : told) {
      isNews |= node.stores() && hasFewerCopies(node);
    }
    for (KnownNode node : unmet) {
      if (node.isGone()) {
        gone.put(node.nodeId(), gone(node));
      } else if (doubt.isEmpty()) {
        doubt =
            Optional.of(
                "node %s knows %s, which this one has not met".formatted(witness, node.nodeId()));
      }
    }
    if (!unmet.isEmpty() || isNews) {
      verdicts = own.with(nodes(), isSeenLater);
      spareStores = verdicts.spareStores();
    }
  }

  /** Whether one that is gone to this node was there later, to whoever tells of it. */
  private boolean isSeenLater(KnownNode node) {
    Instant since = goneSince.get(node.nodeId());
    return since != null
        && (!node.isGone() || node.goneSinceMillis() > since.plus(CLOCKS_DIFFER).toEpochMilli());
  }

  /**
   * Takes in what a store said of its copies if it is less than it said to this node. Nobody can
   * tell which of the two it said last.
   */
  private boolean hasFewerCopies(KnownNode node) {
    long said = replicatedFromBefore.getOrDefault(node.nodeId(), -1L);
    long before = replicatedFrom.getOrDefault(node.nodeId(), said);
    if (node.replicatedFromMillis() <= before) {
      return false;
    }
    replicatedFrom.put(node.nodeId(), node.replicatedFromMillis());
    return true;
  }

  private static Gone gone(KnownNode node) {
    return new Gone(
        node.nodeId(),
        node.ingests(),
        node.stores(),
        Instant.ofEpochMilli(node.goneSinceMillis()),
        node.replicatedFromMillis(),
        Partners.UNKNOWN);
  }

  /** The nodes that this node and all those together know. */
  private ClusterNodes nodes() {
    ClusterNodes nodes = own.nodes();
    return new ClusterNodes(
            nodes.ingest(),
            nodes.stores(),
            Stream.concat(nodes.gone().stream(), gone.values().stream()).toList(),
            nodes.replicationFactor(),
            nodes.self(),
            nodes.doubt().or(() -> doubt))
        .withReplicatedFrom(replicatedFrom);
  }

  /** By all nodes that were told of until now. */
  Verdicts verdicts() {
    return verdicts;
  }

  /** As {@link Verdicts#spareStores}, by the same nodes. */
  int spareStores() {
    return spareStores;
  }
}

package io.cordwood.query.gather;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Judges an answer by the nodes that were known when it was asked for.
 *
 * @param self this node's id
 * @param isStore whether this node is a store
 * @param range of the question
 * @param needless ids of stores that are gone and that nobody misses
 * @param clock by which they are gone for long
 */
record Verdicts(
    String self,
    boolean isStore,
    ClusterNodes nodes,
    UlidRange range,
    Set<String> needless,
    InstantSource clock) {
  static Verdicts of(
      String self, boolean isStore, ClusterNodes nodes, UlidRange range, InstantSource clock) {
    return new Verdicts(
        self,
        isStore,
        nodes,
        range,
        NeedlessStores.of(nodes, isStore, range, clock.instant()),
        clock);
  }

  /**
   * By the nodes that others know, too.
   *
   * @param isSeenLater whether some node was seen by others when it was gone to this one: who said
   *     before that nobody needs it may say something else by now
   */
  Verdicts with(ClusterNodes all, boolean isSeenLater) {
    return isSeenLater
        ? new Verdicts(self, isStore, all, range, Set.of(), clock)
        : of(self, isStore, all, range, clock);
  }

  private Stream<ClusterNodes.Gone> missed() {
    return nodes.gone().stream().filter(node -> !needless.contains(node.nodeId()));
  }

  /** The nodes that are gone and may hold records that nobody else does. */
  List<MissingNode> gone() {
    List<MissingNode> missing = new ArrayList<>();
    missed()
        .forEach(node -> {
          String reason = "gone since " + node.since();
          if (node.ingests()) {
            missing.add(missing(node.nodeId(), Tier.INGEST, range, reason));
          }
          if (node.stores()) {
            missing.add(missing(node.nodeId(), Tier.STORE, range, reason));
          }
        });
    return missing;
  }

  MissingNode missing(String nodeId, Tier tier, UlidRange range, String reason) {
    boolean replicated = tier == Tier.STORE && nodes.isReplicated(nodeId, range);
    return new MissingNode(nodeId, tier, range, reason, replicated);
  }

  /** Records that damaged blocks may hide, which are any; empty if there are none. */
  static Optional<Lack> damage(long blocks) {
    String reason = blocks + " blocks are damaged, 'cordwood segment verify' names them";
    return blocks == 0 ? Optional.empty() : Optional.of(new Lack(UlidRange.ALL, reason));
  }

  Verdict of(List<MissingNode> missing) {
    return new Verdict(List.copyOf(missing), nodes.doubt(), copies(), Optional.empty());
  }

  /** The number of stores whose records all the others together hold. */
  int spareStores() {
    boolean sure = nodes.doubt().isEmpty() && missed().noneMatch(g -> g.ingests());
    long gone = missed().filter(g -> g.stores()).count();
    return sure ? (int) Math.max(0, copies() - 1 - gone) : 0;
  }

  /** The number of known stores on which each consumed record is. */
  int copies() {
    Set<String> stores = new TreeSet<>();
    nodes.stores().forEach(peer -> stores.add(peer.nodeId()));
    missed().filter(g -> g.stores()).forEach(g -> stores.add(g.nodeId()));
    if (isStore) {
      stores.add(self);
    }
    return Math.min(nodes.replicationFactor(), stores.size());
  }
}

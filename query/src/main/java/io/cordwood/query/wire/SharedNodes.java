package io.cordwood.query.wire;

import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.Fingerprint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that both the one who asks and the one who answers know to be there, with what they
 * last said of their copies, and that an answer need not name: whoever asks has them among those
 * that it knows. Nodes that are gone are always told, since it matters since when.
 */
public final class SharedNodes {
  private SharedNodes() {}

  /**
   * Sums of those that are known, for a question.
   *
   * @param self the node that asks, if it holds records, so that others know it as one that does
   * @return empty if a node is both there and gone, so that all have to be told
   */
  public static Optional<KnownParts> of(List<KnownNode> known, Optional<KnownNode> self) {
    Map<String, Long> there = there(known);
    boolean isSure =
        known.stream().noneMatch(node -> node.isGone() && there.containsKey(node.nodeId()));
    self.ifPresent(node -> there.put(node.nodeId(), hash(node)));
    return isSure ? Optional.of(sums(there, KnownParts.countFor(there.size()))) : Optional.empty();
  }

  /**
   * Leaves out those that the one who asks knows.
   *
   * @param asking as its question says
   * @param self the node that answers, which holds records
   */
  public static List<KnownNode> without(
      KnownParts asking, List<KnownNode> known, Optional<KnownNode> self) {
    Map<String, Long> there = there(known);
    self.ifPresent(node -> there.put(node.nodeId(), hash(node)));
    KnownParts parts = sums(there, asking.count());
    return known.stream().filter(node -> node.isGone() || !isShared(node, parts, asking)).toList();
  }

  private static boolean isShared(KnownNode node, KnownParts parts, KnownParts asking) {
    return parts.isSame(parts.part(Fingerprint.hash(node.nodeId())), asking);
  }

  /** The hashes of those that are there, by node id: one that does both is in the list twice. */
  private static Map<String, Long> there(List<KnownNode> known) {
    Map<String, Long> there = new HashMap<>();
    for (KnownNode node : known) {
      if (!node.isGone()) {
        there.put(node.nodeId(), hash(node));
      }
    }
    return there;
  }

  private static KnownParts sums(Map<String, Long> there, int parts) {
    var sums = new KnownParts.Builder(parts);
    there.forEach((id, hash) -> sums.add(Fingerprint.hash(id), hash));
    return sums.build();
  }

  private static long hash(KnownNode node) {
    return Fingerprint.hash(node.nodeId() + ' ' + node.replicatedFromMillis());
  }
}

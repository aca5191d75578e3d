package io.cordwood.query.gather;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import io.cordwood.query.wire.KnownNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The verdict on a simulated query, by the node's own classes. */
public final class SimEvidence {
  private final ReplicaEvidence evidence;
  private final List<Failed> failed = new ArrayList<>();

  private record Failed(String node, Tier tier, String reason) {
    MissingNode by(Verdicts judging) {
      return judging.missing(node, tier, UlidRange.ALL, reason);
    }
  }

  /**
   * A query of all records.
   *
   * @param self the node that asks, which holds none
   */
  public SimEvidence(String self, ClusterNodes nodes, InstantSource clock) {
    evidence = new ReplicaEvidence(Verdicts.of(self, false, nodes, UlidRange.ALL, clock));
  }

  /** A node has said whom it knows. */
  public void heard(String node, List<KnownNode> known) {
    evidence.heard(node, known);
  }

  /** A node's part is missing. */
  public void failed(String node, Tier tier, String reason) {
    failed.add(new Failed(node, tier, reason));
  }

  /** Why an answer with damaged blocks is not whole; empty if there are none. */
  public static Optional<String> damage(int blocks) {
    return Verdicts.damage(blocks).map(Lack::reason);
  }

  /** Whether the stores that lack could be done without, as far as is known now. */
  public boolean canDoWithout(List<String> stores) {
    return failed.isEmpty()
        && stores.size() <= evidence.spareStores()
        && stores.stream()
            .allMatch(store ->
                new Failed(store, Tier.STORE, "silent").by(evidence.verdicts()).replicated());
  }

  /** The verdict by all that was heard. */
  public Verdict verdict() {
    Verdicts judging = evidence.verdicts();
    List<MissingNode> missing = new ArrayList<>(judging.gone());
    failed.forEach(each -> missing.add(each.by(judging)));
    return judging.of(missing);
  }
}

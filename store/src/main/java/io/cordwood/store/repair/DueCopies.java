package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.repair.SliceCheck.Findings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * The batches that a round found to be copied, those first that the fewest stores hold, of these
 * the oldest. Holds up to {@link SliceCheck#MOST} batches; of further slices only that there are
 * some. One thread.
 */
final class DueCopies {
  private static final Comparator<Due> BY_RISK =
      Comparator.comparingInt((Due due) -> due.holders.cardinality()).thenComparingLong(Due::slice);

  private final List<Due> all = new ArrayList<>();
  private int kept;

  /**
   * Batches of a slice that are to be copied.
   *
   * @param holders those of the peers that have them
   * @param batches in order; none if they are to be looked for again
   */
  record Due(long slice, BitSet holders, List<BatchInfo> batches) {}

  void add(long slice, Findings found) {
    int batches = found.toCopy().values().stream().mapToInt(List::size).sum();
    if (kept + batches > SliceCheck.MOST && kept > 0) {
      found.toCopy().keySet().stream()
          .min(Comparator.comparingInt(BitSet::cardinality))
          .ifPresent(fewest -> all.add(new Due(slice, fewest, List.of())));
      return;
    }
    kept += batches;
    found.toCopy().forEach((holders, group) -> all.add(new Due(slice, holders, group)));
  }

  List<Due> inOrder() {
    return all.stream().sorted(BY_RISK).toList();
  }
}

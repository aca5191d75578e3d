package io.cordwood.query.gather;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds what an answer lacks of the records that it should give.
 *
 * @param judging by all nodes that are known at the end
 * @param wanted the query's range, up to the last record that anybody wanted
 */
record MissingParts(Verdicts judging, UlidRange wanted) {
  private static final String NOT_AWAITED = "was not waited for";

  /** The nodes that are gone, and the parts that came not at all, or not wholly, or too late. */
  List<MissingNode> of(List<PartialResult> partials) {
    List<MissingNode> missing = new ArrayList<>(judging.gone());
    EvictedPart evicted = EvictedPart.beside(partials);
    for (PartialResult partial : partials) {
      partial
          .lack()
          .filter(lack -> lack.range().overlaps(wanted))
          .ifPresent(lack -> missing.add(missing(partial, lack)));
      var gone = partial.evicted().stream().filter(it -> it.range().overlaps(wanted)).toList();
      evicted.missing(partial.holder(), gone, partial.openedNanos()).ifPresent(missing::add);
    }
    missing.addAll(neededAfterAll(partials, missing));
    return missing;
  }

  /**
   * Stores that were done without until others turned out to be missing too: one that broke off
   * later, or one that only a late answer told of.
   */
  private List<MissingNode> neededAfterAll(
      List<PartialResult> partials, List<MissingNode> missing) {
    Optional<Ulid> first =
        missing.stream().map(node -> node.range().from()).min(Comparator.naturalOrder());
    List<MissingNode> needed = new ArrayList<>();
    for (PartialResult partial : partials) {
      boolean isMissingAnyway =
          partial.lack().filter(it -> it.range().overlaps(wanted)).isPresent();
      partial
          .unheard()
          .filter(
              until -> !isMissingAnyway && first.stream().anyMatch(from -> !until.isBefore(from)))
          .map(until -> new Lack(new UlidRange(Ulid.MIN, until), NOT_AWAITED))
          .ifPresent(late -> needed.add(missing(partial, late)));
    }
    return needed;
  }

  private MissingNode missing(PartialResult partial, Lack lack) {
    PartialResult.Holder holder = partial.holder();
    UlidRange range = wanted.since(lack.range().from()).until(lack.range().to());
    return judging.missing(holder.nodeId(), holder.tier(), range, lack.reason());
  }
}

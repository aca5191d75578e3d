package io.cordwood.query.gather;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import java.util.List;
import java.util.Optional;

/**
 * Judges what stores let go of, since some bucket has it, by the bucket that was searched.
 *
 * @param isSearched whether there was one
 * @param place its own; empty if it is not known
 * @param untilNanos by {@link System#nanoTime}, when its list had all that was let go of by then
 */
record EvictedPart(boolean isSearched, Optional<BucketPlace> place, long untilNanos) {
  /** For an answer that no bucket is searched for. */
  static final EvictedPart ALONE = new EvictedPart(false, Optional.empty(), 0);

  /** A bucket of which nothing is known, or not yet. */
  static final EvictedPart UNKNOWN = new EvictedPart(true, Optional.empty(), 0);

  /** For the parts of an answer; called under their lock. */
  static EvictedPart beside(List<PartialResult> parts) {
    return parts.stream()
        .filter(it -> it.holder().tier() == Tier.COLD)
        .findFirst()
        .map(PartialResult::searched)
        .orElse(ALONE);
  }

  /**
   * The records of a store that are nowhere among what was searched; empty if there are none. A
   * store that does not say where they are does not mean the bucket that was searched.
   *
   * @param openedNanos when the store's segments were those that it searched
   */
  Optional<MissingNode> missing(PartialResult.Holder holder, List<Evicted> all, long openedNanos) {
    boolean isListed = openedNanos - untilNanos < 0;
    List<Evicted> elsewhere = all.stream().filter(it -> !isListed || !isHere(it)).toList();
    return elsewhere.stream()
        .map(Evicted::range)
        .reduce(UlidRange::union)
        .map(range ->
            new MissingNode(
                holder.nodeId(), holder.tier(), range, reason(elsewhere.getFirst()), false));
  }

  private boolean isHere(Evicted gone) {
    return place.isPresent() && place.get().is(BucketPlace.parse(gone.place()));
  }

  private String reason(Evicted gone) {
    if (!isSearched) {
      return "records are in a bucket, and this node has no --cold to read it";
    }
    BucketPlace there = BucketPlace.parse(gone.place());
    if (isHere(gone)) {
      return "records may be in " + there.url() + " since the list of it that was searched";
    }
    String here = place.map(it -> name(it, there)).orElse("a bucket without a mark");
    String where =
        gone.place().isEmpty()
            ? "a bucket that is not known"
            : place.map(it -> name(there, it)).orElse(there.url());
    return "records are in " + where + ", and searched was " + here;
  }

  /** With the mark only if that is what tells it from the other one. */
  private static String name(BucketPlace one, BucketPlace other) {
    return one.url().equals(other.url()) ? one.toString() : one.url();
  }
}

package io.cordwood.query.gather;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.query.Tier;
import java.util.List;
import java.util.Optional;

/** The verdict on what stores let go of, by the node's own class. */
public final class SimColdVerdict {
  private final EvictedPart part;

  private SimColdVerdict(EvictedPart part) {
    this.part = part;
  }

  /** For a node that searches no bucket. */
  public static SimColdVerdict alone() {
    return new SimColdVerdict(EvictedPart.ALONE);
  }

  /**
   * For one that searched a bucket.
   *
   * @param untilNanos when its list had all that was let go of by then
   */
  public static SimColdVerdict searched(Optional<BucketPlace> place, long untilNanos) {
    return new SimColdVerdict(new EvictedPart(true, place, untilNanos));
  }

  /** Why an answer may lack what a store let go of; empty if it has all. */
  public Optional<String> doubt(String store, List<Evicted> gone, long openedNanos) {
    return part.missing(new PartialResult.Holder(store, Tier.STORE), gone, openedNanos)
        .map(MissingNode::reason);
  }
}

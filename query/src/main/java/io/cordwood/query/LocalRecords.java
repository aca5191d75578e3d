package io.cordwood.query;

import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.RemainingSegments;
import io.cordwood.common.segment.SegmentSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records that this node itself holds, or reads in a bucket.
 *
 * @param unconsumed those that it has received; empty for a node that receives nothing
 * @param stored those that it has consumed; empty for a node that is not a store
 * @param cold those of a bucket; empty for a node that has none
 * @param deletions of which nothing is read
 */
public record LocalRecords(
    Optional<SegmentSource> unconsumed,
    Optional<SegmentSource> stored,
    Optional<ColdReader> cold,
    Deletions deletions) {
  /** For a node that holds nothing. */
  public static final LocalRecords NONE = new LocalRecords(Optional.empty(), Optional.empty());

  /** All of a node that holds these, but for what is deleted. */
  public static LocalRecords without(
      Deletions deletions,
      Optional<SegmentSource> unconsumed,
      Optional<SegmentSource> stored,
      Optional<ColdReader> cold) {
    cold.ifPresent(it -> it.leaveOut(deletions::known));
    return new LocalRecords(
        unconsumed.map(it -> new RemainingSegments(it, deletions)),
        stored.map(it -> new RemainingSegments(it, deletions)),
        cold,
        deletions);
  }

  /** Those of a node that knows no deletions. */
  public LocalRecords(
      Optional<SegmentSource> unconsumed,
      Optional<SegmentSource> stored,
      Optional<ColdReader> cold) {
    this(unconsumed, stored, cold, Deletions.none());
  }

  /** Those of a node without a bucket. */
  public LocalRecords(Optional<SegmentSource> unconsumed, Optional<SegmentSource> stored) {
    this(unconsumed, stored, Optional.empty());
  }

  /** Those that this node holds of a tier; of the third one no node holds any. */
  public Optional<SegmentSource> of(Tier tier) {
    return switch (tier) {
      case INGEST -> unconsumed;
      case STORE -> stored;
      case COLD -> Optional.empty();
    };
  }

  /** All that it holds as one; empty if there is none. */
  public Optional<SegmentSource> all() {
    return Stream.of(unconsumed, stored).flatMap(Optional::stream).reduce(JoinedSegments::new);
  }
}

package io.cordwood.query;

import io.cordwood.common.segment.SegmentSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records that this node itself holds.
 *
 * @param unconsumed those that it has received; empty for a node that receives nothing
 * @param stored those that it has consumed; empty for a node that is not a store
 */
public record LocalRecords(Optional<SegmentSource> unconsumed, Optional<SegmentSource> stored) {
  /** For a node that holds nothing. */
  public static final LocalRecords NONE = new LocalRecords(Optional.empty(), Optional.empty());

  public Optional<SegmentSource> of(Tier tier) {
    return tier == Tier.INGEST ? unconsumed : stored;
  }

  /** Both as one; empty if there is none. */
  public Optional<SegmentSource> all() {
    return Stream.of(unconsumed, stored).flatMap(Optional::stream).reduce(SegmentSource::then);
  }
}

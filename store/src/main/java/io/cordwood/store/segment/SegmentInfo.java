package io.cordwood.store.segment;

import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;

/**
 * The facts about a segment that compaction, retention and operators need.
 *
 * @param name of its file
 * @param rawBytes of its blocks before compression
 */
public record SegmentInfo(
    String name, UlidRange range, long rawBytes, long fileBytes, int blocks, long records) {

  static SegmentInfo of(String name, StoreSegment segment) {
    SegmentTotals totals = segment.totals();
    return new SegmentInfo(
        name,
        segment.range(),
        totals.rawBytes(),
        segment.fileBytes(),
        totals.blocks(),
        totals.records());
  }

  /** From its first record's time to its last one's. */
  public Duration span() {
    return Duration.ofMillis(range.to().millis() - range.from().millis());
  }
}

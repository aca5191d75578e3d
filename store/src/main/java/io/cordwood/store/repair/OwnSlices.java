package io.cordwood.store.repair;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * The contents of this store, as it tells them and compares them. For all threads.
 *
 * @param horizons before which records of a topic may be gone from this store
 */
record OwnSlices(
    StoreLog log,
    Fingerprints fingerprints,
    Supplier<ByTopic<Instant>> horizons,
    CopyAbility ability) {

  /** Something that is done with this store's own segments, which are held meanwhile. */
  @FunctionalInterface
  interface Work {
    void run(List<LiveSegment> segments) throws IOException;
  }

  /** The table as it is known now. */
  SliceTable table() {
    return fingerprints.table(horizons.get(), ability.isAble());
  }

  /**
   * Does something with the segments of a range that can be read.
   *
   * @throws UnreadableSegmentException if one cannot, after all; it is suspected then
   */
  void with(UlidRange range, Work work) throws IOException {
    try (HeldSegments held = log.hold(range)) {
      work.run(fingerprints.readable(held.live()));
    } catch (UnreadableSegmentException e) {
      log.suspect(e.segment());
      throw e;
    }
  }
}

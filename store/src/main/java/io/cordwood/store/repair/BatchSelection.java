package io.cordwood.store.repair;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIdentity;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The batches whose first ULID is in a range.
 *
 * @param topic of which alone they are; empty for any
 */
record BatchSelection(Optional<Topic> topic, UlidRange range) {
  static BatchSelection in(UlidRange range) {
    return new BatchSelection(Optional.empty(), range);
  }

  /**
   * Gives the selected batches of some segments, which must be held, in a store segment's order and
   * each once. Holds a decoded block for each segment that has records of one moment.
   *
   * @param wanted of which blocks only
   * @throws UnreadableSegmentException if a segment cannot be read
   */
  void run(List<LiveSegment> segments, Predicate<BlockInfo> wanted, SegmentMerge.Sink<Batch> sink)
      throws IOException {
    try (var merge = SegmentMerge.ofBatches(segments, wanted.and(this::mayHold))) {
      merge.run(within(sink));
    }
  }

  /**
   * Gives the selected batches without their payloads, in the same order; reads no block of a
   * segment that has a list.
   *
   * @throws UnreadableSegmentException if a segment cannot be read
   */
  void list(List<LiveSegment> segments, SegmentMerge.Sink<BatchInfo> sink) throws IOException {
    try (var merge = SegmentMerge.ofLists(segments, this::mayHold)) {
      merge.run(within(sink));
    }
  }

  private <T extends BatchIdentity> SegmentMerge.Sink<T> within(SegmentMerge.Sink<T> sink) {
    return batch -> {
      if (range.contains(batch.first())) {
        sink.accept(batch);
      }
    };
  }

  private boolean mayHold(BlockInfo block) {
    return range.overlaps(block.range()) && (topic.isEmpty() || topic.get().equals(block.topic()));
  }
}

package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchMerge;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

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
   * @throws UnreadableSegmentException if a segment cannot be read
   */
  void run(List<LiveSegment> segments, BatchMerge.Sink sink) throws IOException {
    try (var merge = new SegmentMerge(segments, this::mayHold)) {
      merge.run(batch -> {
        if (range.contains(batch.first())) {
          sink.accept(batch);
        }
      });
    }
  }

  private boolean mayHold(BlockInfo block) {
    return range.overlaps(block.range()) && (topic.isEmpty() || topic.get().equals(block.topic()));
  }
}

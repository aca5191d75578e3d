package io.cordwood.common.cold;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settled segments, for tests of what is kept in buckets. */
public final class ColdSegments {
  private ColdSegments() {}

  /** Batches of ten lines each, a second after another; line 7 of batch 3 is {@code order 37}. */
  public static List<Batch> batches(Topic topic, Instant from, int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String[] lines = new String[10];
      for (int line = 0; line < lines.length; line++) {
        lines[line] = "order %d%d of a shop".formatted(i, line);
      }
      Ulid first = Ulid.firstOf(from.plusSeconds(i).toEpochMilli());
      batches.add(Records.lines(topic, first, lines));
    }
    return batches;
  }

  /** The settled segment of batches that are in order. */
  public static byte[] settled(List<Batch> batches) {
    return SegmentFiles.settled(SegmentFiles.storeSegment(batches));
  }

  /** All batches of a segment. */
  public static List<Batch> all(StoreSegment segment) throws IOException {
    List<Batch> all = new ArrayList<>();
    try (var batches = new SegmentBatches(segment)) {
      @Nullable Batch next;
      while ((next = batches.next()) != null) {
        all.add(Records.copy(next));
      }
    }
    return all;
  }
}

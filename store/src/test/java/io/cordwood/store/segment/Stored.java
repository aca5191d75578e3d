package io.cordwood.store.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchMerge;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a store as a query would: every batch of a view once, in order. */
public final class Stored {
  private Stored() {}

  public static List<Batch> batches(SegmentSource source) {
    try (var view = source.view(UlidRange.ALL)) {
      return merged(view.segments());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<Batch> merged(List<? extends Segment> segments) {
    List<SegmentBatches> streams = segments.stream().map(SegmentBatches::new).toList();
    try {
      List<Batch> batches = new ArrayList<>();
      new BatchMerge(streams).run(b -> batches.add(Records.copy(b)));
      return batches;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      streams.forEach(SegmentBatches::close);
    }
  }
}

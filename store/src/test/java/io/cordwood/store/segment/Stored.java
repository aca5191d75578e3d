package io.cordwood.store.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    try {
      return SegmentFiles.merged(segments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

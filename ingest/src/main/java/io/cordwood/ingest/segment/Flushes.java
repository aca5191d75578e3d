package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.ingest.IngestMetrics;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes active segments durable, and lets stores have them.
 *
 * <p>A segment whose flush failed is never taken for flushed and never forced again: its batches
 * are copied to a new segment. It keeps its file until that succeeds, for the next start to
 * recover. One thread; blocks.
 */
final class Flushes {
  private static final Logger log = LoggerFactory.getLogger(Flushes.class);

  private final IngestLog segments;
  private final IngestMetrics metrics;
  private final List<ActiveSegment> failed = new ArrayList<>();

  Flushes(IngestLog segments, IngestMetrics metrics) {
    this.segments = segments;
    this.metrics = metrics;
  }

  /** Takes over a segment; false if it failed, and waits for {@link #copyFailed}. */
  boolean flush(ActiveSegment segment) {
    try {
      segment.flush().ifPresent(segments::add);
      return true;
    } catch (IOException | RuntimeException e) {
      metrics.flushErrors.increment();
      log.error("{}: cannot be made durable; its batches are copied anew", segment.id(), e);
      failed.add(segment);
      return false;
    }
  }

  boolean haveFailed() {
    return !failed.isEmpty();
  }

  /** Copies segments that failed; the number of those that no longer wait. */
  int copyFailed() {
    int before = failed.size();
    failed.removeIf(this::copied);
    return before - failed.size();
  }

  private boolean copied(ActiveSegment segment) {
    SegmentFolder folder = segments.folder();
    try {
      for (IngestSegmentState state : List.of(segment.state(), IngestSegmentState.FLUSHED)) {
        try (ReadableFile file = open(folder, segment, state)) {
          if (file != null && segment.wholeBytes() > 0) {
            SegmentCopy.of(file, folder, segments.nextId()).ifPresent(segments::add);
          }
        }
        folder.delete(segment.id(), state);
      }
      segments.forget(segment);
      return true;
    } catch (IOException | RuntimeException e) {
      metrics.flushErrors.increment();
      return false;
    }
  }

  /** The file, if the segment got so far as to have this state. */
  private static @Nullable ReadableFile open(
      SegmentFolder folder, ActiveSegment segment, IngestSegmentState state) throws IOException {
    try {
      return folder.open(segment.id(), state);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}

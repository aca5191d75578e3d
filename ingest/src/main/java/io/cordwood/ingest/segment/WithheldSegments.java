package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestMetrics;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which flushed segments have batches with labels, so that they are not given to a store that would
 * take these for damage. A segment is read when the first such store asks, so nothing is read while
 * there is none. Guarded by the lock of {@link SegmentLeases}.
 */
final class WithheldSegments {
  private static final Logger log = LoggerFactory.getLogger(WithheldSegments.class);

  /** Stores that are named in the log. */
  private static final int MOST_NAMED = 100;

  private final SegmentFolder folder;
  private final IngestMetrics metrics;
  private final Map<Ulid, Boolean> labelled = new HashMap<>();
  private final Set<String> named = new HashSet<>();

  WithheldSegments(SegmentFolder folder, IngestMetrics metrics) {
    this.folder = folder;
    this.metrics = metrics;
  }

  boolean isWithheld(FlushedSegment segment, Claimant store) {
    boolean withheld = labelled.computeIfAbsent(segment.id(), _ -> isLabelled(segment));
    if (withheld && named.size() < MOST_NAMED && named.add(store.name())) {
      log.warn(
          "{}: not given to {}, which or whose neighbours are of a version that does not know"
              + " labels; it waits for other stores, and so do others",
          segment.id(),
          store.name());
    }
    return withheld;
  }

  /** Whether it has labels, as far as can be seen. */
  private boolean isLabelled(FlushedSegment segment) {
    boolean found = true;
    try (ReadableFile file = folder.open(segment.id(), IngestSegmentState.FLUSHED)) {
      found = IngestLayout.isLabelled(file, segment.bytes());
    } catch (IOException e) {
      log.warn("{}: whether it has labels cannot be read", segment.id(), e);
    }
    if (found) {
      metrics.withheldSegments.increment();
    }
    return found;
  }

  void forget(FlushedSegment segment) {
    labelled.remove(segment.id());
  }
}

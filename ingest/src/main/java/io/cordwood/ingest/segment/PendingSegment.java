package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;

/**
 * A segment that a store has claimed.
 *
 * @param bytes of the file
 * @param store that has claimed it, as it calls itself
 * @param leaseEndNanos when it becomes flushed again by itself, on the clock of {@link
 *     System#nanoTime}
 */
public record PendingSegment(Ulid id, long bytes, String store, long leaseEndNanos)
    implements IngestSegment {
  /** Opens the file; it can be read to its end even if the segment is committed meanwhile. */
  ReadableFile open(SegmentFolder folder) throws IOException {
    return folder.open(id, IngestSegmentState.PENDING);
  }

  /**
   * Ends the segment; its file is deleted, or reused. That is not forced: after a loss of power it
   * may be there again and be consumed a second time, which the ULIDs of its batches make harmless.
   */
  void commit(SegmentFolder folder) throws IOException {
    folder.retire(id, bytes);
  }

  /** Gives it back. */
  FlushedSegment fail(SegmentFolder folder, Ulid place) throws IOException {
    folder.move(id, IngestSegmentState.PENDING, IngestSegmentState.FLUSHED);
    return new FlushedSegment(id, bytes, place);
  }

  /** Keeps it from all stores; when this returns, that is durable. */
  QuarantinedSegment quarantine(SegmentFolder folder) throws IOException {
    folder.move(id, IngestSegmentState.PENDING, IngestSegmentState.QUARANTINED);
    folder.force();
    return new QuarantinedSegment(id, bytes);
  }

  boolean isExpired(long nowNanos) {
    return nowNanos - leaseEndNanos >= 0;
  }
}

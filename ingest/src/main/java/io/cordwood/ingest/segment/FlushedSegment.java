package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;

/**
 * A durable segment that waits to be claimed.
 *
 * @param bytes of the file
 * @param place in the queue: its id, so that the oldest comes first; one that was given back goes
 *     after those that wait, so that a segment nobody can consume holds up no other
 */
record FlushedSegment(Ulid id, long bytes, Ulid place) implements IngestSegment {
  /**
   * Gives the segment to a store. The rename is not forced: after a loss of power it is flushed
   * again, as after the end of the lease.
   *
   * @param store that gets it, as it calls itself
   * @param leaseEndNanos on the clock of {@link System#nanoTime}
   */
  PendingSegment claim(SegmentFolder folder, String store, long leaseEndNanos) throws IOException {
    folder.move(id, IngestSegmentState.FLUSHED, IngestSegmentState.PENDING);
    return new PendingSegment(id, bytes, store, leaseEndNanos);
  }
}

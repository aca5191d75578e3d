package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;

/**
 * A file of batches, in one of its states. A transition is a method that gives the next state and
 * does exactly one rename; the object of the state before is of no use from then on, since the file
 * that it names is gone.
 *
 * <pre>
 *   active ───── flush ──► flushed ── claim ──► pending ── commit ──► gone, or spare
 *   uploading ── flush ──►    ▲                    │
 *       └─ discard ──► gone   ├─── fail, expiry ───┤
 *                             └─ release ─ quarantined
 * </pre>
 */
sealed interface IngestSegment
    permits ActiveSegment, UploadingSegment, FlushedSegment, PendingSegment, QuarantinedSegment {
  Ulid id();
}

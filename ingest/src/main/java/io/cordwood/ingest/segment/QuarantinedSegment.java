package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;

/**
 * A segment that no store could store, and that none is given any more until a person says so.
 *
 * @param bytes of the file
 */
public record QuarantinedSegment(Ulid id, long bytes) implements IngestSegment {
  /** Lets it be claimed again. */
  FlushedSegment release(SegmentFolder folder, Ulid place) throws IOException {
    folder.move(id, IngestSegmentState.QUARANTINED, IngestSegmentState.FLUSHED);
    return new FlushedSegment(id, bytes, place);
  }
}

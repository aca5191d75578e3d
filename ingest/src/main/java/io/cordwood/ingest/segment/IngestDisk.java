package io.cordwood.ingest.segment;

import java.io.IOException;

/**
 * The segments that a node writes, and the space for them. Safe for all threads.
 *
 * @param segments that stores consume
 * @param flusher forces what is complete, and makes it such a segment
 * @param space left for more
 */
public record IngestDisk(IngestLog segments, Flusher flusher, DiskSpace space)
    implements AutoCloseable {
  /** Once nothing is received any more, and {@link #flusher} is closed. */
  @Override
  public void close() throws IOException {
    space.close();
    segments.close();
  }
}

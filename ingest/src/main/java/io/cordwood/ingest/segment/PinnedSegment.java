package io.cordwood.ingest.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A flushed segment that can be read until this is closed, also after it was committed, without a
 * file that is open all the time: each read opens it. For all threads.
 */
public final class PinnedSegment implements ByteSource, Closeable {
  private final IngestLog log;
  private final Ulid id;
  private final long size;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PinnedSegment(IngestLog log, Ulid id, long size) {
    this.log = log;
    this.id = id;
    this.size = size;
  }

  /**
   * Keeps a flushed segment readable until the pin is closed, without an open file.
   *
   * @param bytes of the segment
   * @return empty if there is none of that name any more, or it is not flushed
   */
  public static Optional<PinnedSegment> of(IngestLog log, Ulid id, long bytes) throws IOException {
    return log.pin(id) ? Optional.of(new PinnedSegment(log, id, bytes)) : Optional.empty();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    try (ReadableFile file = log.openPinned(id)) {
      file.read(target, position);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed.getAndSet(true)) {
      log.unpin(id);
    }
  }
}

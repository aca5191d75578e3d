package io.cordwood.ingest.segment;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A segment that one sender uploads whole: it becomes flushed, or nothing of it stays. Its name
 * tells it from active segments, so that a start after a crash drops it: half an upload would be
 * seen twice once the sender has sent all of it again.
 *
 * <p>For the upload's thread, which blocks here.
 */
public final class UploadingSegment implements IngestSegment {
  private final SegmentFolder folder;
  private final Ulid id;
  private final WritableFile file;
  private long bytes;

  private UploadingSegment(SegmentFolder folder, Ulid id, WritableFile file) {
    this.folder = folder;
    this.id = id;
    this.file = file;
  }

  /** Creates the file, with nothing in it. */
  static UploadingSegment create(SegmentFolder folder, Ulid id) throws IOException {
    return new UploadingSegment(
        folder, id, folder.files().create(folder.file(id, IngestSegmentState.UPLOADING)));
  }

  @Override
  public Ulid id() {
    return id;
  }

  /**
   * Appends whole batches.
   *
   * @param batches headers and payloads in order; their positions move to their limits
   */
  public void append(ByteBuffer... batches) throws IOException {
    if (bytes == 0) {
      write(new IngestSegmentHeader(id).encode());
    }
    write(batches);
  }

  private void write(ByteBuffer... buffers) throws IOException {
    for (int from = 0; from < buffers.length; ) {
      if (!buffers[from].hasRemaining()) {
        from++;
        continue;
      }
      long written = file.write(buffers, from, buffers.length - from);
      if (written <= 0) {
        throw new IOException(
            "%s: expected to write %d more bytes, none were taken"
                .formatted(
                    folder.file(id, IngestSegmentState.UPLOADING), buffers[from].remaining()));
      }
      bytes += written;
    }
  }

  /**
   * Forces the file, renames it and forces the folder: when this returns, the segment is durable.
   *
   * @throws IOException if anything failed; nothing is known of what is on the disk then, and all
   *     that is left to do is {@link #discard}
   */
  public FlushedSegment flush() throws IOException {
    try (file) {
      file.force();
    }
    folder.move(id, IngestSegmentState.UPLOADING, IngestSegmentState.FLUSHED);
    folder.force();
    return new FlushedSegment(id, bytes, id);
  }

  /** Closes and deletes the file. If that fails, the next start does it. */
  public void discard() throws IOException {
    try (file) {
      folder.delete(id, IngestSegmentState.UPLOADING);
      folder.delete(id, IngestSegmentState.FLUSHED);
    }
  }
}

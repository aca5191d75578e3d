package io.cordwood.ingest.segment;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A segment that one thread appends to: an event loop, or the committer. It is handed to the
 * flusher's thread once, and belongs to that thread from then on.
 *
 * <p>The header goes out with the first batches, in the same gathering write.
 */
public final class ActiveSegment implements IngestSegment {
  private final SegmentFolder folder;
  private final Ulid id;
  private final IngestSegmentState state;
  private final WritableFile file;
  private volatile long wholeBytes;
  private long forcedBytes;
  private boolean broken;

  private ActiveSegment(SegmentFolder folder, Ulid id, SegmentFolder.NewFile created) {
    this.folder = folder;
    this.id = id;
    this.state = created.state();
    this.file = created.file();
  }

  /** Creates the file; its name is durable when the segment was flushed. */
  static ActiveSegment create(SegmentFolder folder, Ulid id) throws IOException {
    return new ActiveSegment(folder, id, folder.create(id));
  }

  /** Creates the file, whose name is durable when this returns. Blocks; not for an event loop. */
  static ActiveSegment createDurably(SegmentFolder folder, Ulid id) throws IOException {
    return new ActiveSegment(folder, id, folder.createDurably(id));
  }

  @Override
  public Ulid id() {
    return id;
  }

  /** Active or reused. */
  IngestSegmentState state() {
    return state;
  }

  /**
   * Bytes up to the end of the last batch that was written whole, and is to be kept. For all
   * threads, unlike all else here.
   */
  public long wholeBytes() {
    return wholeBytes;
  }

  /** Whether a write or a force failed: nothing more can be appended, only flushed. */
  public boolean broken() {
    return broken;
  }

  /**
   * Appends whole batches, without a copy if the buffers are direct. When this returns, they
   * survive the end of the process, but not yet a loss of power.
   *
   * @param batches headers and payloads in order; their positions do not move
   * @param bytes of all of them
   * @throws IOException if not all was written; the segment is broken then
   */
  public void append(ByteBuffer[] batches, long bytes) throws IOException {
    long before = wholeBytes;
    boolean first = before == 0;
    ByteBuffer[] rest = new ByteBuffer[batches.length + (first ? 1 : 0)];
    int at = 0;
    if (first) {
      rest[at++] = new IngestSegmentHeader(id).encode();
    }
    for (ByteBuffer buffer : batches) {
      rest[at++] = buffer.duplicate();
    }
    long total = bytes + (first ? IngestSegmentHeader.BYTES : 0);
    broken = true;
    writeFully(rest, total);
    broken = false;
    wholeBytes = before + total;
  }

  private void writeFully(ByteBuffer[] rest, long total) throws IOException {
    int from = 0;
    for (long left = total; left > 0; ) {
      long written = file.write(rest, from, rest.length - from);
      if (written <= 0) {
        throw new IOException(
            "%s: expected to write %d more bytes, %d were taken"
                .formatted(folder.file(id, state), left, written));
      }
      left -= written;
      while (from < rest.length && !rest[from].hasRemaining()) {
        from++;
      }
    }
  }

  /**
   * Makes durable what was appended, once the folder was forced after the creation. Blocks; not for
   * an event loop.
   *
   * @throws IOException if that failed: the segment is broken then, and is not forced again
   */
  public void force() throws IOException {
    broken = true;
    file.force();
    broken = false;
    forcedBytes = wholeBytes;
  }

  /** Gives up what was appended since the last force, and lets nothing more be appended. */
  public void cutToForced() {
    broken = true;
    wholeBytes = forcedBytes;
  }

  /**
   * Forces the file if need be, cuts what is after the last whole batch, renames it and forces the
   * folder: when this returns, the segment is durable. Blocks; not for an event loop.
   *
   * @return the flushed segment; empty if it held nothing, and was deleted
   * @throws IOException if anything failed: nothing is known of what is on the disk then. The file
   *     is closed, and must not be forced again
   */
  Optional<FlushedSegment> flush() throws IOException {
    try (file) {
      boolean cut = state == IngestSegmentState.REUSED && !broken;
      if (cut) {
        file.cut();
      }
      if (cut || wholeBytes > forcedBytes) {
        file.force();
      }
    }
    if (wholeBytes == 0) {
      folder.delete(id, state);
      return Optional.empty();
    }
    if (broken) {
      folder.files().truncate(folder.file(id, state), wholeBytes);
    }
    folder.move(id, state, IngestSegmentState.FLUSHED);
    folder.force();
    return Optional.of(new FlushedSegment(id, wholeBytes, id));
  }

  /** Closes and deletes the file, of which there is another copy; what fails here is added. */
  void discard(IOException cause) {
    try (file) {
      folder.delete(id, state);
      folder.delete(id, IngestSegmentState.FLUSHED);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}

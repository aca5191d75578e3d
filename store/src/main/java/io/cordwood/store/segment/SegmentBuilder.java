package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.OnDemandFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A store segment being written. Closed before it is flushed, it leaves no file. One thread.
 *
 * <p>Memory: that of a {@link StoreSegmentWriter}.
 */
public final class SegmentBuilder implements AutoCloseable {
  private final StoreFolder folder;
  private final StoreMetrics metrics;
  private final Path path;
  private final WritableFile file;
  private final StoreSegmentWriter writer;
  private boolean flushed;

  private SegmentBuilder(
      StoreFolder folder,
      StoreMetrics metrics,
      Path path,
      WritableFile file,
      StoreSegmentWriter writer) {
    this.folder = folder;
    this.metrics = metrics;
    this.path = path;
    this.file = file;
    this.writer = writer;
  }

  static SegmentBuilder create(StoreFolder folder, StoreMetrics metrics, Path path, Executor beside)
      throws IOException {
    WritableFile file = folder.filesystem().create(path);
    try {
      return new SegmentBuilder(folder, metrics, path, file, new StoreSegmentWriter(file, beside));
    } catch (IOException e) {
      file.close();
      discard(folder.filesystem(), path, e);
      throw e;
    }
  }

  /** Adds a batch, which must come after the one before: by topic, then by first ULID. */
  public void append(Batch batch) throws IOException {
    writer.append(batch);
  }

  /** Whether the format has no room for more. */
  public boolean isFull() {
    return writer.isFull();
  }

  public long payloadBytes() {
    return writer.payloadBytes();
  }

  /**
   * A whole segment under a name that is still to be changed.
   *
   * @param path of the file that was written; its bytes are durable, its name is not
   * @param segment open for reading, the holder's to release
   * @param file that the segment is read from; is to be told when it is renamed
   */
  public record Flushed(Path path, StoreSegment segment, OnDemandFile file) {}

  /** Ends the segment. When this returns, its bytes are durable. */
  public Flushed flush() throws IOException {
    end();
    return open();
  }

  /**
   * Ends a segment whose file is as old as the newest of those that it is made of: it must not be
   * kept for longer. When this returns, its bytes are durable.
   */
  public Flushed flush(Instant written) throws IOException {
    end();
    folder.filesystem().setModified(path, written);
    return open();
  }

  private void end() throws IOException {
    writer.finish();
    file.force();
    file.close();
  }

  private Flushed open() throws IOException {
    Flushed done = folder.opener().open(path);
    flushed = true;
    metrics.wrote(done.segment());
    return done;
  }

  @Override
  public void close() throws IOException {
    writer.close();
    if (!flushed) {
      file.close();
      discard(folder.filesystem(), path, null);
    }
  }

  /** Deletes a file that promises nothing. */
  public static void discard(Filesystem filesystem, Path path, @Nullable Exception cause) {
    try {
      filesystem.delete(path);
    } catch (IOException e) {
      // An active file that stays is deleted at the next start; nobody reads it until then.
      if (cause != null) {
        cause.addSuppressed(e);
      }
    }
  }
}

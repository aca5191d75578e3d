package io.cordwood.store.segment;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.SegmentSettler;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The settled form of a live segment, being written block by block. Closed before it is flushed, it
 * leaves no file. One thread.
 *
 * <p>Memory: that of a {@link SegmentSettler}.
 */
public final class SettledSegment implements AutoCloseable {
  private final StoreFolder folder;
  private final StoreMetrics metrics;
  private final LiveSegment source;
  private final Path path;
  private final WritableFile file;
  private final SegmentSettler settler;
  private boolean flushed;

  private SettledSegment(
      StoreFolder folder,
      StoreMetrics metrics,
      LiveSegment source,
      Path path,
      WritableFile file,
      SegmentSettler settler) {
    this.folder = folder;
    this.metrics = metrics;
    this.source = source;
    this.path = path;
    this.file = file;
    this.settler = settler;
  }

  static SettledSegment create(
      StoreFolder folder, StoreMetrics metrics, LiveSegment source, Path path) throws IOException {
    WritableFile file = folder.filesystem().create(path);
    try {
      var settler = new SegmentSettler(source.segment(), file);
      return new SettledSegment(folder, metrics, source, path, file, settler);
    } catch (IOException e) {
      file.close();
      SegmentBuilder.discard(folder.filesystem(), path, e);
      throw unreadable(source, e);
    }
  }

  private static IOException unreadable(LiveSegment source, IOException e) {
    return e instanceof SegmentSettler.SourceException
        ? new UnreadableSegmentException(source, e)
        : e;
  }

  /** The segment that it is made of. */
  public LiveSegment source() {
    return source;
  }

  /**
   * Reads a block to choose the dictionary, writes a block, or what comes after the last one.
   *
   * @return bytes of the block before compression; 0 when all is written
   * @throws UnreadableSegmentException if the source cannot be read
   */
  public int step() throws IOException {
    try {
      return settler.step();
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  /**
   * Ends the segment, after all is written. When this returns, its bytes are durable, and its file
   * is as old as the source's: it must not be kept for longer.
   */
  public SegmentBuilder.Flushed flush() throws IOException {
    file.force();
    file.close();
    folder.filesystem().setModified(path, folder.filesystem().modified(source.file()));
    SegmentBuilder.Flushed done = folder.opener().open(path);
    flushed = true;
    metrics.wrote(done.segment());
    return done;
  }

  @Override
  public void close() throws IOException {
    settler.close();
    if (!flushed) {
      file.close();
      SegmentBuilder.discard(folder.filesystem(), path, null);
    }
  }
}

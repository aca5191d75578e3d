package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.SegmentCheck;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A store segment that comes from a peer as it is, on its way to the disk. Closed before it is
 * flushed, it leaves no file. One thread.
 */
public final class Replica implements AutoCloseable {
  private final Filesystem filesystem;
  private final Path path;
  private final WritableFile file;
  private boolean flushed;

  private Replica(Filesystem filesystem, Path path, WritableFile file) {
    this.filesystem = filesystem;
    this.path = path;
    this.file = file;
  }

  static Replica create(Filesystem filesystem, Path path) throws IOException {
    return new Replica(filesystem, path, filesystem.create(path));
  }

  /** Where the bytes go, from the first to the last. */
  public WritableFile file() {
    return file;
  }

  /**
   * Ends the segment. When this returns, every checksum of it was found right, and its bytes are
   * durable.
   *
   * @throws io.cordwood.common.segment.CorruptException if it is no segment, or a damaged one
   */
  public ActiveSegment.Flushed flush() throws IOException {
    StoreSegment segment = open();
    try {
      new SegmentCheck().run(segment);
      file.force();
      file.close();
      flushed = true;
      return new ActiveSegment.Flushed(path, segment);
    } finally {
      if (!flushed) {
        segment.release();
      }
    }
  }

  private StoreSegment open() throws IOException {
    ReadableFile source = filesystem.open(path);
    try {
      return StoreSegment.open(source);
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (!flushed) {
      file.close();
      ActiveSegment.discard(filesystem, path, null);
    }
  }
}

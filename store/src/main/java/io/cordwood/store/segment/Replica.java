package io.cordwood.store.segment;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.SegmentCheck;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A store segment that comes from a peer as it is, on its way to the disk. Closed before it is
 * flushed, it leaves no file. One thread.
 */
public final class Replica implements AutoCloseable {
  private final StoreFolder folder;
  private final Path path;
  private final WritableFile file;
  private boolean flushed;

  private Replica(StoreFolder folder, Path path, WritableFile file) {
    this.folder = folder;
    this.path = path;
    this.file = file;
  }

  static Replica create(StoreFolder folder, Path path) throws IOException {
    return new Replica(folder, path, folder.filesystem().create(path));
  }

  /** The file that receives the bytes, from first to last. */
  public WritableFile file() {
    return file;
  }

  /**
   * Ends the segment. When this returns, every checksum of it was found right, and its bytes are
   * durable.
   *
   * @throws io.cordwood.common.wire.CorruptException if it is no segment, or a damaged one
   */
  public SegmentBuilder.Flushed flush() throws IOException {
    SegmentBuilder.Flushed whole = folder.opener().open(path);
    try {
      new SegmentCheck().run(whole.segment());
      file.force();
      file.close();
      flushed = true;
      return whole;
    } finally {
      if (!flushed) {
        whole.segment().release();
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!flushed) {
      file.close();
      SegmentBuilder.discard(folder.filesystem(), path, null);
    }
  }
}

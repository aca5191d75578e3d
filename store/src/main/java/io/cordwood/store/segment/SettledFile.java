package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.SegmentSettler;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.store.DiskPace;
import java.io.IOException;
import java.nio.file.Path;

/** The settled form of a segment, as buckets have it. */
public final class SettledFile {
  private SettledFile() {}

  /** Writes it into a new file; when this returns, its bytes are durable. */
  public static void write(StoreSegment segment, Filesystem filesystem, Path file, DiskPace pace)
      throws IOException {
    try (WritableFile target = filesystem.create(file);
        var settler = new SegmentSettler(segment, target)) {
      int bytes = settler.step();
      while (bytes > 0) {
        pace.add(bytes);
        bytes = settler.step();
      }
      target.force();
    }
  }
}

package io.cordwood.store.segment;

import io.cordwood.common.file.OnDemandFile;
import io.cordwood.common.file.OpenFiles;
import io.cordwood.common.segment.KeptIndexes;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens segments. However many there are, a bounded number of their files is open, and their
 * indexes take a bounded memory.
 */
final class SegmentOpener {
  private final OpenFiles files;
  private final KeptIndexes indexes = KeptIndexes.ofHeap();

  SegmentOpener(OpenFiles files) {
    this.files = files;
  }

  /** Shows how many files are open, and what indexes take. */
  void watch(StoreMetrics metrics) {
    metrics.watchOpen(files, indexes);
  }

  OnDemandFile file(Path path) throws IOException {
    return OnDemandFile.open(files, path);
  }

  /**
   * Opens a whole segment.
   *
   * @throws io.cordwood.common.wire.CorruptException if its index is damaged
   */
  SegmentBuilder.Flushed open(Path path) throws IOException {
    OnDemandFile file = file(path);
    try {
      return new SegmentBuilder.Flushed(path, StoreSegment.open(file, indexes), file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }
}

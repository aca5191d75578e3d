package io.cordwood.store;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A store's log in a folder, without the threads that would change it. */
final class TestLog implements AutoCloseable {
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final StoreMetrics metrics = new StoreMetrics(registry);
  final StoreOptions options;
  final StoreLog log;
  final LostRanges lost = new LostRanges();
  final Healer healer;
  final Compactor compactor;

  TestLog(Path folder, Filesystem filesystem, long targetBytes) throws IOException {
    options = StoreOptions.at(folder).withGather(targetBytes, Duration.ZERO);
    log = StoreLog.open(new StoreFolder(filesystem, folder, InstantSource.system()), metrics);
    healer = new Healer(log, metrics, lost);
    compactor = new Compactor(options, log, metrics, new Stopping(), healer);
  }

  static TestLog open(Path folder) throws IOException {
    return new TestLog(folder, Filesystem.real(), 1 << 20);
  }

  /** Stores batches as a gather would, as one segment. */
  void store(List<Batch> batches) throws IOException {
    try (ActiveSegment active = log.newActive()) {
      for (Batch batch : SegmentFiles.sorted(batches)) {
        active.append(batch);
      }
      log.publish(active.flush());
    }
  }

  /** Merges until nothing is left to merge; the number of merges. */
  int compact() throws IOException {
    int merges = 0;
    while (compactor.runOnce()) {
      merges++;
    }
    return merges;
  }

  double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}

package io.cordwood.store.keep;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreFolder;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.StoreRecovery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A store's log in a folder, without the threads that would change it. */
public final class TestLog implements AutoCloseable {
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final StoreMetrics metrics = new StoreMetrics(registry);
  final StoreOptions options;
  public final StoreLog log;
  public final LostRanges lost = new LostRanges();
  final DamageHandler damageHandler;
  final Compactor compactor;

  public TestLog(Path folder, Filesystem filesystem, long targetBytes) throws IOException {
    options = StoreOptions.at(folder).withGather(targetBytes, Duration.ZERO);
    log = StoreRecovery.open(new StoreFolder(filesystem, folder, InstantSource.system()), metrics);
    damageHandler = new DamageHandler(log, metrics, lost);
    compactor = new Compactor(options, log, metrics, new StopFlag(), damageHandler);
  }

  public static TestLog open(Path folder) throws IOException {
    return new TestLog(folder, new PassThroughFilesystem(), 1 << 20);
  }

  /** How many files of a folder have this ending. */
  public static long files(Path folder, String ending) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.filter(path -> path.toString().endsWith(ending)).count();
    }
  }

  /** Batches of two topics, of so many bytes or somewhat more. */
  static List<Batch> batches(Records records, long atLeastBytes) {
    List<Batch> batches = new ArrayList<>();
    long bytes = 0;
    while (bytes < atLeastBytes) {
      Batch batch = records.batch(bytes % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 20);
      batches.add(batch);
      bytes += batch.payload().remaining();
    }
    return batches;
  }

  /** Stores batches as a gather would, as one segment. */
  public void store(List<Batch> batches) throws IOException {
    try (SegmentBuilder active = log.newActive()) {
      for (Batch batch : SegmentFiles.sorted(batches)) {
        active.append(batch);
      }
      log.publish(active.flush());
    }
  }

  /** Treats what was found to be unreadable. */
  public void healSuspects() {
    damageHandler.healSuspects();
  }

  /** Treats a segment. */
  public void heal(LiveSegment segment) {
    damageHandler.heal(segment);
  }

  /** Whether a segment can be neither used nor salvaged. */
  public boolean isLeftOut(LiveSegment segment) {
    return damageHandler.isLeftOut(segment);
  }

  /** Settles all that compaction leaves alone, as if it were old. */
  public void settle() throws IOException {
    var atOnce = new StoreOptions.Settling(Duration.ZERO, Long.MAX_VALUE);
    try (var settling =
        new Settling(
            options.with(atOnce), log, metrics, () -> Instant.MAX, new StopFlag(), damageHandler)) {
      while (settling.turn().isZero()) {
        // Goes on.
      }
    }
  }

  /**
   * Flips a bit of the first segment's first block, and makes its file so old that it is scrubbed.
   */
  public void damageFirstBlock() throws IOException {
    LiveSegment segment = log.live().getFirst();
    BlockInfo block = segment.segment().blocks().getFirst();
    byte[] bytes = Files.readAllBytes(segment.file());
    bytes[(int) block.offset() + block.storedBytes() / 2] ^= 4;
    Files.write(segment.file(), bytes);
    var longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(30)));
    Files.setLastModifiedTime(segment.file(), longAgo);
  }

  /** Its retention, with bounds of its own and its clocks, which runs when it is told to. */
  Retention retention(Keeping bounds, InstantSource clock, LongSupplier nanoTime)
      throws IOException {
    return retention(options.with(bounds), Optional.empty(), clock, nanoTime);
  }

  /** One that lets go of what a bucket has. */
  public Retention retention(
      StoreOptions bounded,
      Optional<BucketCopies> bucket,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    var expiry = new TopicExpiry(bounded, log, metrics, damageHandler, new StopFlag());
    return new Retention(bounded, log, metrics, expiry, bucket, clock, nanoTime);
  }

  /** Merges until nothing is left to merge; the number of merges. */
  public int compact() throws IOException {
    int merges = 0;
    while (compactor.runOnce()) {
      merges++;
    }
    return merges;
  }

  public double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}

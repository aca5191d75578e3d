package io.cordwood.sim;

import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdTimes;
import io.cordwood.common.file.SimDisk;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.cold.ColdUploader;
import io.cordwood.store.cold.ProvenObjects;
import io.cordwood.store.cold.SimUploads;
import io.cordwood.store.keep.ColdRetention;
import io.cordwood.store.keep.SimKeeping;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreFolder;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.StoreRecovery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store with its own classes over real files, and a bucket that is simulated. */
final class SimColdStore extends SimColdNode {
  private static final Duration LOOK = Duration.ofMinutes(15);
  private static final Duration COMPACTION = Duration.ofHours(5);
  private static final long TARGET_BYTES = 1 << 20;

  private final SimDisk disk;
  private final SimBucketClient writes;
  private @Nullable StoreLog log;
  private @Nullable SimKeeping keeping;

  SimColdStore(ColdLife life, String id) {
    super(life, id);
    this.disk = new SimDisk(clock);
    this.writes = new SimBucketClient(life, this, null);
  }

  @Override
  void started() throws IOException {
    disk.starts(this::maybeEnd);
    var registry = new SimpleMeterRegistry();
    var metrics = new StoreMetrics(registry);
    StoreLog opened =
        StoreRecovery.open(new StoreFolder(disk, folder.resolve("store"), clock), metrics);
    log = opened;
    ColdOptions cold = cold();
    StoreOptions options =
        StoreOptions.at(folder.resolve("store"))
            .withReplicationFactor(ColdLife.COPIES)
            .withGather(TARGET_BYTES, Duration.ZERO)
            .with(life.rules().keeping())
            .with(Optional.of(cold));
    openReader(cold.times());
    var kept = new SimKeeping(options, opened, copies(), metrics, clock, this::nanoTime);
    keeping = kept;
    var peers = new KnownPeers(id, List::of, this::peers);
    var uploader =
        new ColdUploader(cold, writes, opened, peers, metrics, registry, clock, new StopFlag());
    var uploads = new SimUploads(uploader);
    var clocks = new ColdRetention.Clocks(clock, this::nanoTime);
    var objects = SimKeeping.objects(cold, reader(), writes, peers, registry, clocks);
    every(LOOK, "retention", kept::step);
    every(LOOK, "uploads", uploads::step);
    every(COMPACTION, "compaction", kept::compact);
    every(Duration.ofHours(1), "rules", objects::step);
  }

  private ColdOptions cold() {
    ColdTimes times =
        life.makes(Mistake.EVICT_WHAT_WAS_JUST_LISTED)
            ? new ColdTimes(
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                ColdTimes.USUAL.look(),
                ColdTimes.USUAL.turn(),
                true)
            : ColdTimes.USUAL;
    return new ColdOptions(
        BucketUrl.parse("s3://bucket"),
        life.rules().uploadAfter(),
        1L << 40,
        life.rules().evictAfter(),
        life.rules().inBucket(),
        times);
  }

  private BucketCopies copies() {
    var proven = new ProvenObjects(reader());
    return life.makes(Mistake.EVICT_UNPROVEN) ? new Believed(proven) : proven;
  }

  private List<StorePeer> peers() {
    return life.stores().stream()
        .filter(store -> store != this && store.isUp())
        .map(store -> new StorePeer(store.id, URI.create("http://" + store.id + ":1"), 0, 0))
        .toList();
  }

  private void maybeEnd() {
    if (life.faults().happens(Faults.Kind.DISK_CRASH)) {
      disk.ends();
      throw new Sim.Crash();
    }
  }

  @Override
  void ended() {
    disk.ends();
    StoreLog open = log;
    log = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        sim.note(this, "closes badly: " + e.getMessage());
      }
    }
  }

  /** Makes batches durable here; whether it did. */
  boolean store(List<Batch> batches) throws IOException {
    if (!isAwake()) {
      return false;
    }
    try {
      Objects.requireNonNull(keeping).store(batches);
      return true;
    } catch (Sim.Crash e) {
      end("ends at its disk");
      return false;
    }
  }

  /** The batches that queries see. */
  Set<BatchInfo> held() throws IOException {
    Set<BatchInfo> held = new HashSet<>();
    try (HeldSegments segments = Objects.requireNonNull(log).hold(UlidRange.ALL)) {
      for (LiveSegment segment : segments.live()) {
        BatchLists lists = segment.segment().lists().orElseThrow();
        for (BlockInfo block : segment.segment().blocks()) {
          held.addAll(lists.of(block));
        }
      }
    }
    return held;
  }

  /** What it says that it let go of. */
  List<Evicted> evicted() {
    return life.makes(Mistake.EVICT_QUIETLY)
        ? List.of()
        : Objects.requireNonNull(log).lacks().evicted(UlidRange.ALL);
  }

  /** All of it is in the bucket, whatever that says. */
  private record Believed(BucketCopies copies) implements BucketCopies {
    @Override
    public boolean haveAllOf(StoreSegment segment, Predicate<BlockInfo> wanted) throws IOException {
      boolean _ = copies.haveAllOf(segment, wanted);
      return true;
    }

    @Override
    public Optional<BucketPlace> place() throws IOException {
      return copies.place();
    }
  }
}

package io.cordwood.store.keep;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.ColdCatalogue;
import io.cordwood.common.cold.ColdDownload;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.cold.UnreadManifest;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.Untouched;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.BucketTurn;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.DiskPace;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.OrderedRuns;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SettledFile;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what is deleted out of the objects of a bucket. What is left of one is put there as another
 * object, and the old one is named there as over. It goes two hours after this store has seen that
 * listed, if by then all that is left of it has been listed for so long. The store that is first by
 * rendezvous hashing does so for a day, and each next one a turn later.
 *
 * <p>Nothing is put, named or deleted while a list lacks what is known, or the place has stores of
 * other rules or of another cluster. Memory: some 100 bytes for each object of the time of
 * something deleted, and for each batch of one object. One platform thread, never interrupted.
 */
public final class ColdSweep implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdSweep.class);

  /** In the folder that is emptied at each start. */
  private static final String PREFIX = "cold-rest-";

  private final ColdOptions options;
  private final ColdReader reader;
  private final Bucket bucket;
  private final ColdUpload uploads;
  private final StoreLog log;
  private final KnownPeers peers;
  private final PlaceStores stores;
  private final Supplier<Tombstones> deletions;
  private final StoreMetrics metrics;
  private final InstantSource clock;
  private final StopFlag stop;
  private final DiskPace pace;

  private final Untouched<ColdName> untouched = Untouched.byName();

  private volatile Looked looked = new Looked(Tombstones.NONE, List.of(), Optional.empty());

  /**
   * All objects, as this store has seen them last.
   *
   * @param deleted of which nothing was found but in these objects
   * @param obstacle why it could not look since; empty if nothing was in the way
   */
  private record Looked(Tombstones deleted, List<Left> left, Optional<String> obstacle) {
    Looked failed(String why) {
      return new Looked(deleted, left, Optional.of(why));
    }
  }

  /** An object that may hold something deleted. */
  private record Left(UlidRange range, String why) {}

  /**
   * @param reader which stays the caller's
   * @param bucket to write to, which this closes
   * @param deletions of what is to go
   */
  public ColdSweep(
      ColdOptions options,
      ColdReader reader,
      Bucket bucket,
      StoreLog log,
      KnownPeers peers,
      Supplier<Tombstones> deletions,
      StoreMetrics metrics,
      InstantSource clock,
      StopFlag stop) {
    this.options = options;
    this.reader = reader;
    this.bucket = bucket;
    this.uploads = new ColdUpload(bucket);
    this.log = log;
    this.peers = peers;
    this.stores = new PlaceStores(bucket, peers, options.retention());
    this.deletions = deletions;
    this.metrics = metrics;
    this.clock = clock;
    this.stop = stop;
    this.pace = new DiskPace(options.bytesPerSecond(), stop);
  }

  /** Tells which deletions an object may show, as far as this store has seen; any thread. */
  public void addTo(WaitingDeletions waiting) {
    Looked now = looked;
    waiting.allBut(now.deleted, now.obstacle.orElse("objects are looked at"));
    now.left.forEach(it -> waiting.within(it.range, it.why));
  }

  @Override
  public void run() {
    try {
      stop.repeat(this::step);
    } catch (InterruptedException e) {
      LOG.error("interrupted, deletes nothing of the bucket; nobody should interrupt it", e);
    }
  }

  private Duration step() {
    try {
      runOnce();
    } catch (IOException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      if (!stop.isStopping()) {
        metrics.failed("cold-delete");
        LOG.warn("{}: what is deleted does not go now, which is tried again", bucket, e);
        looked = looked.failed(bucket + ": " + e.getMessage());
      }
    }
    return options.times().look();
  }

  /** Does what is due for all objects. */
  void runOnce() throws IOException {
    Tombstones deleted = deletions.get();
    if (deleted.size() == 0) {
      return;
    }
    Optional<String> obstacle = stores.check();
    ColdCatalogue.Found found = reader.catalogue().find(UlidRange.ALL);
    List<ColdObject> ending = reader.catalogue().ending(Duration.ZERO);
    forgetOthers(found.objects(), ending);
    if (obstacle.isPresent() || found.absent() > 0) {
      looked =
          looked.failed(obstacle.orElse(bucket + ": a list lacks what was listed or named before"));
      return;
    }
    List<Left> left = new ArrayList<>();
    each(found.objects(), deleted, Work.REWRITE, left);
    Set<ColdObject> due = Set.copyOf(reader.catalogue().ending(options.times().proof()));
    Map<Boolean, List<ColdObject>> areDue =
        ending.stream().collect(Collectors.partitioningBy(due::contains));
    each(areDue.getOrDefault(true, List.of()), deleted, Work.DELETE, left);
    each(areDue.getOrDefault(false, List.of()), deleted, Work.WAIT, left);
    for (UnreadManifest it : found.unread()) {
      if (deleted.touches(it.range())) {
        left.add(new Left(it.range(), "unread manifest " + it.why()));
      }
    }
    if (!stop.isStopping()) { // Or not all were looked at.
      looked = new Looked(deleted, List.copyOf(left), Optional.empty());
    }
  }

  /** Done with an object that holds something deleted. */
  private enum Work {
    REWRITE("is rewritten"),
    DELETE("is deleted"),
    WAIT("goes once it was listed as over for long enough");

    private final String doing;

    Work(String doing) {
      this.doing = doing;
    }
  }

  /**
   * Works on those that hold something deleted, and whose turn it is.
   *
   * @param left gets those that hold something
   */
  private void each(List<ColdObject> objects, Tombstones deleted, Work work, List<Left> left)
      throws IOException {
    for (ColdObject object : objects) {
      if (stop.isStopping()) {
        return;
      }
      why(object, deleted, work).ifPresent(why -> left.add(new Left(object.name().range(), why)));
    }
  }

  /** Why it may hold something deleted, if it may; one that does not read holds up no others. */
  private Optional<String> why(ColdObject object, Tombstones deleted, Work work)
      throws IOException {
    String unread;
    try {
      if (!holds(object, deleted)) {
        return Optional.empty();
      }
      if (isTurn(object, deleted)) {
        run(work, object, deleted);
      }
      return Optional.of(object.name() + ": " + work.doing);
    } catch (CorruptException e) {
      unread = e.getMessage();
    } catch (BucketException e) {
      e.throwUnlessOfOneObject();
      if (work != Work.REWRITE && bucket.size(object.name().key()).isEmpty()) {
        return Optional.of(object.name() + ": is gone, as the next list will say");
      }
      unread = e.getMessage();
    }
    metrics.failed("cold-delete");
    LOG.warn("{}/{}: stays, since it does not read: {}", bucket, object.name(), unread);
    return Optional.of(object.name() + ": does not read: " + unread);
  }

  private void run(Work work, ColdObject object, Tombstones deleted) throws IOException {
    switch (work) {
      case REWRITE -> rewrite(object, deleted);
      case DELETE -> delete(object, deleted);
      case WAIT -> {}
    }
  }

  private void forgetOthers(List<ColdObject> objects, List<ColdObject> ending) {
    List<ColdObject> all = new ArrayList<>(objects);
    all.addAll(ending);
    untouched.retain(all.stream().map(ColdObject::name).collect(Collectors.toSet()));
  }

  /** Whether something deleted is in an object. */
  private boolean holds(ColdObject object, Tombstones deleted) throws IOException {
    if (!deleted.touches(object.name().range()) || untouched.isKnown(object.name(), deleted)) {
      return false;
    }
    StoreSegment segment = reader.open(object);
    try {
      return untouched.without(deleted, object.name(), segment) != segment;
    } finally {
      segment.release();
    }
  }

  /** Since the last deletion was asked for. */
  private boolean isTurn(ColdObject object, Tombstones deleted) {
    List<String> others = peers.otherStores().stream().map(StorePeer::nodeId).toList();
    int rank = BucketTurn.of(peers.nodeId(), others, object.name().day());
    Instant asked = deleted.lastAsked();
    return !clock.instant().isBefore(asked.plus(options.times().turn().multipliedBy(rank)));
  }

  /** To do it again changes nothing. */
  private void rewrite(ColdObject object, Tombstones deleted) throws IOException {
    putRest(object, deleted);
    ColdEnds.put(bucket, object.name().day(), List.of(object.name()));
    metrics.deleted();
    LOG.info("{}/{}: is over, its rest is another object", bucket, object.name());
  }

  /** Puts and names what is left of an object, if anything is; its batches. */
  private Set<BatchInfo> putRest(ColdObject object, Tombstones deleted) throws IOException {
    Path file = log.folder().gather().resolve(PREFIX + UUID.randomUUID());
    Set<BatchInfo> left = new HashSet<>();
    try {
      ColdDownload.get(bucket, object, file);
      StoreSegment whole = StoreSegment.open(log.folder().filesystem().open(file));
      try (SegmentBuilder rest = log.newActive();
          var batches = new SegmentBatches(whole)) {
        var runs =
            new OrderedRuns(
                deleted,
                run -> {
                  rest.append(run);
                  left.add(BatchInfo.of(run));
                  pace.add(run.payload().remaining());
                });
        @Nullable Batch next;
        while ((next = batches.next()) != null) {
          runs.accept(next);
        }
        runs.end();
        if (!left.isEmpty()) {
          put(rest.flush(), object.name().retention());
        }
      } finally {
        whole.release();
      }
    } finally {
      SegmentBuilder.discard(log.folder().filesystem(), file, null);
    }
    return left;
  }

  private void put(SegmentBuilder.Flushed rest, String retention) throws IOException {
    Path file = log.folder().gather().resolve(PREFIX + UUID.randomUUID());
    try {
      SettledFile.write(rest.segment(), log.folder().filesystem(), file, pace);
      ColdObject put = uploads.put(file, retention);
      ColdManifests.put(bucket, put.name().day(), List.of(put));
    } finally {
      rest.segment().release();
      SegmentBuilder.discard(log.folder().filesystem(), rest.path(), null);
      SegmentBuilder.discard(log.folder().filesystem(), file, null);
    }
  }

  /** Nobody needs it any more, if all that is left of it has been there for long enough. */
  private void delete(ColdObject object, Tombstones deleted) throws IOException {
    Set<BatchInfo> lacking = putRest(object, deleted);
    for (ColdObject other : reader.catalogue().proven(object.name().range()).objects()) {
      if (!other.name().equals(object.name()) && !lacking.isEmpty()) {
        remove(other, lacking);
      }
    }
    if (lacking.isEmpty()) {
      bucket.delete(object.name().key());
      LOG.info("{}/{}: deleted, since it held what is deleted", bucket, object.name());
    }
  }

  private void remove(ColdObject other, Set<BatchInfo> lacking) throws IOException {
    try {
      StoreSegment there = reader.open(other);
      try {
        Optional<BatchLists> lists = there.lists();
        for (BlockInfo block : lists.isEmpty() ? List.<BlockInfo>of() : there.blocks()) {
          lists.get().of(block).forEach(lacking::remove);
        }
      } finally {
        there.release();
      }
    } catch (CorruptException e) {
      reader.forget(other);
      LOG.warn("{}: damaged, counts as no copy: {}", other.name(), e.getMessage());
    }
  }

  /** Breaks off what is asked of the bucket. */
  @Override
  public void close() {
    bucket.close();
  }
}

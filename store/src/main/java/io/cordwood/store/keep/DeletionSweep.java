package io.cordwood.store.keep;

import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.Untouched;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.LeftOut.Extent;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.OrderedRuns;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.SetAsideFiles;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what is deleted out of a store's files. A segment is rewritten without it, in one exchange,
 * and the old file goes; a crash at any point leaves the old segment or the new one. Of files that
 * are set aside nobody can say what is in them: what they hold goes as a whole, if it may be of the
 * time of something deleted. What comes later is looked at when it comes. One thread.
 */
final class DeletionSweep {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionSweep.class);

  /** A file that is set aside meanwhile, and that no segment went for, waits for so long. */
  private static final Duration CLEARED_EVERY = Duration.ofMinutes(1);

  private static final String REWRITTEN = "segments are rewritten";

  private final StoreLog log;
  private final StoreMetrics metrics;
  private final DamageHandler damageHandler;
  private final Supplier<Tombstones> deletions;
  private final SetAsideFiles setAside;
  private final DiskPace pace;

  private final Untouched<Segment> untouched = Untouched.bySegment();
  private Optional<String> notCleared = Optional.empty();
  private long clearedSum;
  private long clearedVersion;
  private long clearedNanos = System.nanoTime();

  private volatile Looked looked = new Looked(Tombstones.NONE, Map.of(), Optional.empty());

  /**
   * All files, as they were when each was looked at last.
   *
   * @param deleted of which nothing was found but in these segments
   * @param kept segments that cannot be rewritten now, and why
   * @param notCleared why something is left of what is set aside
   */
  private record Looked(
      Tombstones deleted, Map<LiveSegment, String> kept, Optional<String> notCleared) {}

  DeletionSweep(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      DamageHandler damageHandler,
      Supplier<Tombstones> deletions,
      StopFlag stop) {
    this.log = log;
    this.metrics = metrics;
    this.damageHandler = damageHandler;
    this.deletions = deletions;
    this.setAside = new SetAsideFiles(log);
    this.pace = new DiskPace(options.compactionBytesPerSecond(), stop);
  }

  /** Tells which deletions may still be in a file, also in one that has just come; any thread. */
  void addTo(WaitingDeletions waiting) {
    Looked now = looked;
    waiting.allBut(now.deleted, REWRITTEN);
    now.notCleared.ifPresent(why -> waiting.allBut(Tombstones.NONE, why));
    if (log.isExchanging()) {
      waiting.allBut(Tombstones.NONE, "an exchange of segments is not finished");
    }
    for (LiveSegment segment : log.live()) {
      if (!untouched.isKnown(segment.segment(), waiting.known())) {
        waiting.within(segment.info().range(), now.kept.getOrDefault(segment, REWRITTEN));
      }
    }
    addSetAside(waiting);
  }

  /** After the segments: what is trashed meanwhile was seen as one, or is seen here. */
  private void addSetAside(WaitingDeletions waiting) {
    if (waiting.known().size() == 0) {
      return;
    }
    try {
      setAside.ranges().forEach(range -> waiting.within(range, "trash is cleared"));
    } catch (IOException e) {
      waiting.allBut(Tombstones.NONE, String.valueOf(e.getMessage()));
    }
  }

  /** Takes what is deleted out of the next segment that holds some; whether there was one. */
  boolean runOnce() throws IOException {
    Tombstones deleted = deletions.get();
    if (deleted.size() == 0) {
      return false;
    }
    Map<LiveSegment, String> kept = new HashMap<>();
    for (LiveSegment segment : log.live()) {
      StoreSegment whole = segment.segment();
      if (untouched.without(deleted, whole, whole) == whole) {
        continue;
      }
      if (damageHandler.isLeftOut(segment)) {
        kept.put(segment, segment.file() + ": cannot be read, before the next start");
      } else if (!log.folder().hasRoomToRewrite(segment.info().fileBytes())) {
        metrics.failed("delete-no-room");
        kept.put(segment, segment.file() + ": the disk has no room to rewrite it");
      } else {
        Optional<Instant> written = written(segment);
        if (written.isPresent()) {
          rewrite(segment, written.get(), deleted);
          return true;
        }
        kept.put(segment, segment.file() + ": is not yet under this name");
      }
    }
    clearSetAside(deleted);
    looked = new Looked(deleted, Map.copyOf(kept), notCleared);
    return false;
  }

  private void clearSetAside(Tombstones deleted) {
    boolean isDue = System.nanoTime() - clearedNanos >= CLEARED_EVERY.toNanos();
    long version = log.version();
    boolean isNew = deleted.sum() != clearedSum || version != clearedVersion;
    if (isNew || notCleared.isPresent() || isDue) {
      notCleared = setAside.clear(deleted);
      clearedSum = deleted.sum();
      clearedVersion = version;
      clearedNanos = System.nanoTime();
    }
  }

  /** When it was written; empty if it is not yet under this name. */
  private Optional<Instant> written(LiveSegment segment) throws IOException {
    try {
      return Optional.of(log.folder().filesystem().modified(segment.file()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** The rest is as old as it was. */
  private void rewrite(LiveSegment segment, Instant written, Tombstones deleted)
      throws IOException {
    try (SegmentBuilder rest = log.newActive();
        SegmentMerge<Batch> merge =
            SegmentMerge.ofBatches(
                List.of(segment),
                block -> deleted.of(block.topic(), block.range()) != Extent.ALL)) {
      var runs = new OrderedRuns(deleted, rest::append);
      merge.run(batch -> {
        runs.accept(batch);
        pace.add(batch.payload().remaining());
      });
      runs.end();
      if (rest.payloadBytes() == 0) {
        log.purge(log.trash(segment, Instant.now()));
      } else {
        log.replace(List.of(segment), rest.flush(written));
      }
      metrics.deleted();
      LOG.info("{}: rewritten without what is deleted", segment.file());
    } catch (UnreadableSegmentException e) {
      LOG.warn("{}: found when something was deleted: {}", e.segment().file(), e.getMessage());
      notCleared = Optional.of("what is damaged is set aside");
      looked = new Looked(looked.deleted, looked.kept, notCleared);
      damageHandler.heal(e.segment());
    }
  }
}

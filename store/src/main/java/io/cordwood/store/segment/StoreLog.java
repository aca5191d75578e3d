package io.cordwood.store.segment;

import io.cordwood.common.run.ChangeSignal;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StoreMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store segments of a folder that belongs to this process alone.
 *
 * <p>Changes are made one at a time, under a lock, and are durable when their method returns. Views
 * take no lock: they see the segments before or after a change, never a part of it, and keep them
 * open until they are closed.
 *
 * <p>Two segments may hold the same batch, after a commit that did not reach its ingest node:
 * readers drop the second one, and so does the compaction that meets both.
 */
public final class StoreLog implements SegmentSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreLog.class);

  private static final Comparator<LiveSegment> BY_TIME =
      Comparator.comparing(s -> s.info().range().from());

  private final StoreFolder folder;
  private final Closeable exclusive;
  private final StoreMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final ChangeSignal changes = new ChangeSignal();
  private final PendingSwaps swaps;
  private volatile List<LiveSegment> live = List.of();
  private final OpenViews views = new OpenViews();
  private final MissingRanges missing = new MissingRanges();
  private final SuspectedSegments suspects = new SuspectedSegments();
  private boolean released;

  /**
   * @param exclusive has the folder for this process
   */
  StoreLog(StoreFolder folder, Closeable exclusive, StoreMetrics metrics) {
    this.folder = folder;
    this.exclusive = exclusive;
    this.metrics = metrics;
    this.swaps = new PendingSwaps(folder);
  }

  /** Records that it had and cannot return. */
  public MissingRanges lacks() {
    return missing;
  }

  public StoreFolder folder() {
    return folder;
  }

  /** The segments that queries see now, oldest first. */
  public List<LiveSegment> live() {
    return live;
  }

  /** Descriptions of {@link #live()}, in the same order; reads no file. */
  public List<SegmentInfo> infos() {
    return live.stream().map(LiveSegment::info).toList();
  }

  /** The bytes of the segments, trash not counted. */
  public long fileBytes() {
    return live.stream().map(LiveSegment::info).mapToLong(SegmentInfo::fileBytes).sum();
  }

  @Override
  public View view(UlidRange range) {
    return views.count(hold(range));
  }

  /** Whether a query has segments open now. */
  public boolean isQueried() {
    return views.areThere();
  }

  /** The segments that overlap a range, with what the log knows of them. */
  public HeldSegments hold(UlidRange range) {
    while (true) {
      Optional<HeldSegments> held = HeldSegments.of(live, range);
      if (held.isPresent()) {
        return held.get();
      }
      // A segment went between reading the list and holding it: the list is a new one by now.
    }
  }

  /** Begins a segment that nobody sees before it is published. */
  public SegmentBuilder newActive() throws IOException {
    return newActive(StoreSegmentWriter.ALONE);
  }

  /** Begins one with an executor that may do some of the work, see {@link StoreSegmentWriter}. */
  public SegmentBuilder newActive(Executor beside) throws IOException {
    return SegmentBuilder.create(folder, metrics, newActivePath(), beside);
  }

  /** Begins the settled form of a segment, which nobody sees before it replaces that one. */
  public SettledSegment newSettled(LiveSegment source) throws IOException {
    return SettledSegment.create(folder, metrics, source, newActivePath());
  }

  /** Begins a segment that a peer sends, and that nobody sees before it is published. */
  public Replica newReplica() throws IOException {
    return Replica.create(folder, newActivePath());
  }

  private Path newActivePath() throws IOException {
    return changed(folder::newActive);
  }

  /** A change of names in the folder, as long as that is this process's. */
  @FunctionalInterface
  private interface Change {
    Path make() throws IOException;
  }

  private Path changed(Change change) throws IOException {
    lock.lock();
    try {
      checkNotReleased();
      return change.make();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes a new segment durable under its name, and shows it. Its segment belongs to the log from
   * now on, also if this throws; nobody sees it then.
   */
  public LiveSegment publish(SegmentBuilder.Flushed flushed) throws IOException {
    lock.lock();
    try {
      checkNotReleased(flushed);
      LiveSegment shown = LiveSegment.of(folder.publish(flushed), flushed);
      show(List.of(), List.of(shown));
      return shown;
    } finally {
      lock.unlock();
    }
  }

  private void checkNotReleased(SegmentBuilder.Flushed flushed) throws IOException {
    try {
      checkNotReleased();
    } catch (IOException e) {
      flushed.segment().release();
      throw e;
    }
  }

  private void checkNotReleased() throws IOException {
    if (released) {
      throw new IOException(folder.path() + ": closed, and may be another process's by now");
    }
  }

  /**
   * Puts a new segment in the place of old ones, in one step; if it throws, nothing has changed.
   */
  public void replace(Collection<LiveSegment> old, SegmentBuilder.Flushed flushed)
      throws IOException {
    swap(old, flushed, List.of(), old.stream().map(s -> s.info().name()).toList());
  }

  /** Like {@link #replace} for a segment of which a part goes, and whose file becomes trash. */
  public void replaceExpired(LiveSegment old, SegmentBuilder.Flushed flushed) throws IOException {
    UlidRange range = old.info().range();
    replaceKept(old, flushed, locked(() -> folder.newName(range, StoreSegmentState.TRASHED)));
  }

  /**
   * Like {@link #replace} for a damaged segment, whose file is kept under another name. It counts
   * as lacking before that, and stays so if this throws.
   */
  void replaceDamaged(LiveSegment old, SegmentBuilder.Flushed flushed) throws IOException {
    UlidRange range = old.info().range();
    String damaged = nameOfDamaged(range);
    replaceKept(old, flushed, damaged);
    missing.setAside(damaged, range);
  }

  private String nameOfDamaged(UlidRange range) {
    String damaged = locked(() -> folder.newName(range, StoreSegmentState.DAMAGED));
    missing.damaged(damaged, range);
    return damaged;
  }

  private void replaceKept(LiveSegment old, SegmentBuilder.Flushed flushed, String kept)
      throws IOException {
    swap(List.of(old), flushed, List.of(new SwapFile.Rename(old.info().name(), kept)), List.of());
  }

  private void swap(
      Collection<LiveSegment> old,
      SegmentBuilder.Flushed flushed,
      List<SwapFile.Rename> kept,
      List<String> deletes)
      throws IOException {
    lock.lock();
    try {
      checkNotReleased(flushed);
      Path path = swaps.begin(flushed, kept, deletes);
      flushed.file().willBe(path);
      old.forEach(LiveSegment::keepReadable);
      show(old, List.of(LiveSegment.of(path, flushed)));
      swaps.finish();
    } finally {
      lock.unlock();
    }
  }

  /** Finishes on the disk what has happened for readers, and could not be finished before. */
  public void finishSwaps() {
    lock.lock();
    try {
      if (!released) {
        swaps.finish();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a segment out of the view and makes it trash from {@code now} on; queries that have it
   * open finish on it. Gives its file's new path.
   */
  public Path trash(LiveSegment segment, Instant now) throws IOException {
    return changed(() -> {
      // The time comes first: a crash in between only makes the segment live longer.
      folder.filesystem().setModified(segment.file(), now);
      var range = segment.info().range();
      return moveAway(segment, folder.newName(range, StoreSegmentState.TRASHED));
    });
  }

  /** Sets a file aside that nobody sees and that holds nothing intact. */
  void setAside(Path file, UlidRange range) throws IOException {
    Path moved = changed(() -> folder.rename(file, nameOfDamaged(range)));
    missing.setAside(String.valueOf(moved.getFileName()), range);
  }

  /** Takes a segment of which nothing is intact out of the view and sets its file aside. */
  void setAside(LiveSegment segment) throws IOException {
    UlidRange range = segment.info().range();
    Path moved = changed(() -> moveAway(segment, nameOfDamaged(range)));
    missing.setAside(String.valueOf(moved.getFileName()), range);
  }

  private Path moveAway(LiveSegment segment, String name) throws IOException {
    segment.keepReadable();
    Path moved = folder.resolve(name);
    folder.filesystem().rename(segment.file(), moved);
    show(List.of(segment), List.of());
    folder.force();
    folder.free(segment.info().name());
    return moved;
  }

  /** Notes that all that was lost with a damaged segment has its copies again; its file's path. */
  public Path restored(String damaged) throws IOException {
    return changed(() -> {
      Path file = folder.restored(damaged);
      missing.restored(damaged);
      return file;
    });
  }

  /** Whether an exchange of segments is not finished on the disk, and the old ones may be there. */
  public boolean isExchanging() {
    return locked(swaps::isUnfinished);
  }

  /** Deletes a trashed segment's file. */
  public void purge(Path trashed) throws IOException {
    Path _ =
        changed(() -> {
          folder.filesystem().delete(trashed);
          folder.force();
          folder.free(String.valueOf(trashed.getFileName()));
          return trashed;
        });
  }

  /** Shows segments that were there when the log was opened. */
  void recovered(List<LiveSegment> segments) {
    locked(() -> {
      show(List.of(), segments);
      return segments;
    });
  }

  private void show(Collection<LiveSegment> gone, Collection<LiveSegment> come) {
    var next = new ArrayList<LiveSegment>(live);
    next.removeAll(gone);
    next.addAll(come);
    next.sort(BY_TIME);
    live = List.copyOf(next);
    suspects.forget(gone);
    gone.forEach(s -> s.segment().release());
    changes.add();
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Tells that something of a segment was found to be damaged or unreadable. */
  public void suspect(LiveSegment segment) {
    suspects.add(segment);
    changes.add();
  }

  /** Wakes those that wait for changes, since something else has changed. */
  public void lookAgain() {
    changes.add();
  }

  /** Segments of which {@link #suspect} was told. */
  public SuspectedSegments suspects() {
    return suspects;
  }

  /** A number that grows with every change. */
  public long version() {
    return changes.count();
  }

  /** Waits until something has changed since a version, or the log is closing, or time is up. */
  public void awaitChange(long since, Duration longest) {
    try {
      changes.await(since, longest);
    } catch (InterruptedException e) {
      // Nobody interrupts threads that touch files; one that was goes on, once.
      LOG.warn("interrupted while waiting for new segments");
    }
  }

  /** Wakes those that wait for changes, for good. */
  public void wake() {
    changes.end();
  }

  /** Gives the folder back. Views that are open stay usable. */
  @Override
  public void close() throws IOException {
    wake();
    lock.lock();
    try {
      released = true;
      List<LiveSegment> last = live;
      live = List.of();
      last.forEach(s -> s.segment().release());
    } finally {
      lock.unlock();
    }
    exclusive.close();
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestMetrics;
import io.micrometer.core.instrument.Tags;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of an ingest node, in the folder that it locks. Flushed ones wait in a queue, the
 * oldest first, and are claimed under a lease.
 *
 * <p>All methods block for as long as a rename takes, and are for any thread but an event loop,
 * save {@link #create}. One lock guards the queue.
 */
public final class IngestLog implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(IngestLog.class);

  /** How often a waiting claim looks whether its client left. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The states in which a segment is seen, in the order in which it goes through them. */
  private static final List<SegmentState> SEEN =
      List.of(SegmentState.ACTIVE, SegmentState.REUSED, SegmentState.FLUSHED, SegmentState.PENDING);

  private static final Duration NEVER = Duration.ofDays(365);

  private final SegmentFolder folder;
  private final IngestMetrics metrics;
  private final Closeable folderLock;
  private final UlidStamper ids;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ClaimQueue queue;
  private final Condition committed = lock.newCondition();
  private final RecentCommits commits = new RecentCommits();
  private final Map<Ulid, ActiveSegment> unflushed = new ConcurrentHashMap<>();
  private boolean closed;
  private volatile long lastClaimNanos = System.nanoTime() - NEVER.toNanos();

  /** What is known of a segment. */
  public enum Whereabouts {
    /** It is here: flushed, or claimed. */
    HERE,
    /** It was committed: it is on as many stores as there have to be. */
    COMMITTED,
    /** It never was here, or it was committed long ago, or by the process before this one. */
    UNKNOWN
  }

  private IngestLog(
      SegmentFolder folder,
      Duration lease,
      IngestMetrics metrics,
      Closeable folderLock,
      UlidStamper ids) {
    this.folder = folder;
    this.metrics = metrics;
    this.folderLock = folderLock;
    this.ids = ids;
    this.queue = new ClaimQueue(folder, lease, metrics, this::nextId);
  }

  /**
   * Locks the folder and makes good what the process before left there.
   *
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   */
  public static IngestLog open(
      Path path, Duration lease, Filesystem files, IngestMetrics metrics, InstantSource clock)
      throws IOException {
    files.createFolders(path);
    Closeable folderLock = files.lock(path);
    try {
      var folder = new SegmentFolder(files, path);
      var opened = new IngestLog(folder, lease, metrics, folderLock, new UlidStamper(clock));
      new Recovery(folder, metrics, opened::nextId).run().forEach(opened::add);
      opened.registerGauges();
      return opened;
    } catch (IOException | RuntimeException e) {
      folderLock.close();
      throw e;
    }
  }

  private void registerGauges() {
    String name = "cordwood_ingest_segments";
    var registry = metrics.registry;
    registry.gauge(name, Tags.of("state", "flushed"), this, IngestLog::waiting);
    registry.gauge(name, Tags.of("state", "pending"), this, IngestLog::claimed);
  }

  /** Where the segments are. */
  public Path path() {
    return folder.path();
  }

  SegmentFolder folder() {
    return folder;
  }

  /** Segments that wait to be claimed. */
  public int waiting() {
    lock.lock();
    try {
      return queue.waiting();
    } finally {
      lock.unlock();
    }
  }

  /** Segments that are claimed, or whose lease ran out since anybody asked. */
  private int claimed() {
    lock.lock();
    try {
      return queue.claimed();
    } finally {
      lock.unlock();
    }
  }

  /** Segments that are flushed, or claimed and not committed. */
  public int held() {
    lock.lock();
    try {
      return queue.waiting() + queue.claimed();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of them. */
  public long backlogBytes() {
    lock.lock();
    try {
      return queue.bytes();
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody asked for a segment, or waited for one, so lately. */
  public boolean claimedWithin(Duration time) {
    return System.nanoTime() - lastClaimNanos < time.toNanos();
  }

  /** A name for a new segment, larger than all before; safe for all threads. */
  Ulid nextId() {
    synchronized (ids) {
      return ids.stamp(1);
    }
  }

  /** A new segment for one upload, the caller's own. */
  public UploadingSegment createUpload() throws IOException {
    return UploadingSegment.create(folder, nextId());
  }

  /** A new active segment, the caller's own; for an event loop too. */
  public ActiveSegment create() throws IOException {
    ActiveSegment segment = ActiveSegment.create(folder, nextId());
    unflushed.put(segment.id(), segment);
    return segment;
  }

  /** The segments that are not flushed, as they come and go. */
  public Map<Ulid, ActiveSegment> unflushed() {
    return Collections.unmodifiableMap(unflushed);
  }

  /** The same with a name that is durable when this returns; blocks. */
  public ActiveSegment createDurably() throws IOException {
    ActiveSegment segment = ActiveSegment.createDurably(folder, nextId());
    unflushed.put(segment.id(), segment);
    return segment;
  }

  /** Deletes a segment that nothing was appended to. */
  public void drop(ActiveSegment unused) {
    try {
      boolean empty = unused.flush().isEmpty();
      assert empty : unused.id();
    } catch (IOException e) {
      // The next start finds nothing in it, and deletes it.
      log.warn("{}: an unused file cannot be deleted", unused.id(), e);
    }
    unflushed.remove(unused.id());
  }

  /** All segments, whatever their state; each can be gone or in another state by now. */
  public Set<Ulid> ids() {
    lock.lock();
    try {
      Set<Ulid> ids = new HashSet<>(unflushed.keySet());
      queue.ids().forEach(ids::add);
      return ids;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A segment's open file, the receiver's to close.
   *
   * @param bytes of the segment; there may be others behind
   * @param growing whether there may be more soon
   */
  public record Opened(ReadableFile file, long bytes, boolean growing) {}

  /**
   * Opens a segment, whatever its state; empty if there is none of that name any more.
   *
   * <p>Looks for its states in their order: an active one can become flushed meanwhile, but under
   * the lock nothing is claimed or given back, so no segment is missed on its way.
   */
  public Optional<Opened> open(Ulid id) throws IOException {
    lock.lock();
    try {
      for (SegmentState state : SEEN) {
        try {
          return Optional.of(opened(folder.open(id, state), id, state));
        } catch (NoSuchFileException e) {
          // Not in this state; the next one is tried.
        }
      }
      unflushed.remove(id);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private Opened opened(ReadableFile file, Ulid id, SegmentState state) throws IOException {
    ActiveSegment active = unflushed.get(id);
    boolean growing = state == SegmentState.ACTIVE || state == SegmentState.REUSED;
    long bytes = !growing ? file.size() : active == null ? 0 : active.wholeBytes();
    return new Opened(file, bytes, growing);
  }

  /** Lets a durable segment be claimed. */
  public void add(FlushedSegment segment) {
    lock.lock();
    try {
      queue.add(segment);
      unflushed.remove(segment.id());
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the oldest flushed segments to the caller, for the time of the lease. All wait in one
   * queue, however they came: one that went before its turn would be one that keeps others waiting.
   *
   * @param max segments, at least 1
   * @param maxBytes of all of them; the first may have more
   * @param longestWait for one, if there is none
   * @param gone whether the caller does not want any more; asked now and then
   * @return empty if there was none in time
   */
  public List<PendingSegment> claim(
      int max, long maxBytes, Duration longestWait, BooleanSupplier gone) throws IOException {
    long end = System.nanoTime() + longestWait.toNanos();
    lock.lock();
    try {
      while (!closed && !gone.getAsBoolean()) {
        lastClaimNanos = System.nanoTime();
        if (queue.expireLeases()) {
          changed.signalAll();
        }
        List<PendingSegment> next = queue.claim(max, maxBytes);
        long left = end - System.nanoTime();
        if (!next.isEmpty() || left <= 0) {
          return next;
        }
        long _ = changed.awaitNanos(Math.min(left, LOOK_NANOS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return List.of();
  }

  /** Opens a claimed segment for reading; the caller closes it. */
  public ReadableFile read(Ulid id) throws IOException, SegmentRefusedException {
    lock.lock();
    try {
      return queue.claimed(id).open(folder);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a claimed segment, which is durable elsewhere. */
  public void commit(Ulid id) throws IOException, SegmentRefusedException {
    lock.lock();
    try {
      queue.commit(queue.claimed(id));
      commits.add(id);
      metrics.committedSegments.increment();
      committed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a segment is committed.
   *
   * @param gone whether nobody wants to know any more; asked now and then
   * @return what is known of it by then
   */
  public Whereabouts awaitCommit(Ulid id, Duration longestWait, BooleanSupplier gone) {
    long end = System.nanoTime() + longestWait.toNanos();
    lock.lock();
    try {
      while (true) {
        Whereabouts now = whereabouts(id);
        long left = end - System.nanoTime();
        if (now != Whereabouts.HERE || left <= 0 || closed || gone.getAsBoolean()) {
          return now;
        }
        long _ = committed.awaitNanos(Math.min(left, LOOK_NANOS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Whereabouts.HERE;
    } finally {
      lock.unlock();
    }
  }

  private Whereabouts whereabouts(Ulid id) {
    if (commits.contains(id)) {
      return Whereabouts.COMMITTED;
    }
    return queue.has(id) ? Whereabouts.HERE : Whereabouts.UNKNOWN;
  }

  /** Gives a claimed segment back; it goes behind those that wait. */
  public void fail(Ulid id) throws IOException, SegmentRefusedException {
    lock.lock();
    try {
      queue.giveBack(queue.claimed(id));
      changed.signal();
      metrics.failedSegments.increment();
    } finally {
      lock.unlock();
    }
  }

  /** Ends waiting claims, and releases the folder. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      committed.signalAll();
    } finally {
      lock.unlock();
    }
    folderLock.close();
  }
}

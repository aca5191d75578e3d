package io.cordwood.ingest.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestMetrics;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of an ingest node, in the folder that it locks: those that are written, until they
 * are flushed, and then what stores do with them, by {@link #leases}.
 *
 * <p>All methods block for as long as a rename takes, and are for any thread but an event loop,
 * save {@link #create}.
 */
public final class IngestLog implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(IngestLog.class);

  /** The states in which a segment is seen, in the order in which it goes through them. */
  private static final List<IngestSegmentState> SEEN =
      List.of(
          IngestSegmentState.ACTIVE,
          IngestSegmentState.REUSED,
          IngestSegmentState.FLUSHED,
          IngestSegmentState.PENDING,
          IngestSegmentState.QUARANTINED);

  private final SegmentFolder folder;
  private final Closeable folderLock;
  private final UlidStamper ids;

  private final SegmentLeases leases;
  private final Map<Ulid, ActiveSegment> unflushed = new ConcurrentHashMap<>();

  private IngestLog(
      SegmentFolder folder,
      Lease lease,
      IngestMetrics metrics,
      Closeable folderLock,
      UlidStamper ids) {
    this.folder = folder;
    this.folderLock = folderLock;
    this.ids = ids;
    this.leases = new SegmentLeases(folder, lease, metrics, this::nextId);
  }

  /**
   * Locks the folder and makes good what the process before left there.
   *
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   */
  public static IngestLog open(
      Path path, Duration lease, Filesystem files, IngestMetrics metrics, InstantSource clock)
      throws IOException {
    return open(path, new Lease(lease, System::nanoTime), files, metrics, new UlidStamper(clock));
  }

  static IngestLog open(
      Path path, Lease lease, Filesystem files, IngestMetrics metrics, UlidStamper ids)
      throws IOException {
    files.createFolders(path);
    Closeable folderLock = files.lock(path);
    try {
      var folder = new SegmentFolder(files, path);
      var opened = new IngestLog(folder, lease, metrics, folderLock, ids);
      IngestRecovery.Recovered found = new IngestRecovery(folder, metrics, opened::nextId).run();
      found.flushed().forEach(opened::add);
      found.quarantined().forEach(opened.leases::add);
      opened.leases.registerGauges();
      return opened;
    } catch (IOException | RuntimeException e) {
      folderLock.close();
      throw e;
    }
  }

  /** The folder of the segments. */
  public Path path() {
    return folder.path();
  }

  SegmentFolder folder() {
    return folder;
  }

  /** The leases of flushed segments. */
  public SegmentLeases claims() {
    return leases;
  }

  /** A name for a new segment, larger than all before; safe for all threads. */
  Ulid nextId() {
    synchronized (ids) {
      return ids.stamp(1);
    }
  }

  /**
   * From now on no used file is kept that may hold something deleted. To be called again whenever
   * something else is deleted.
   */
  public void leaveOut(Supplier<? extends LeftOut> deleted) {
    folder.leaveOut(deleted, nextId());
    // Again: a segment that was begun meanwhile may have taken one of the files that go.
    folder.leaveOut(deleted, nextId());
    var rewrite = new QuarantineRewrite(folder, deleted.get());
    for (QuarantinedSegment segment : leases.quarantined()) {
      try {
        leases.rewrite(segment, rewrite, nextId());
      } catch (IOException e) {
        log.warn("{}: what is deleted does not go before the next start", segment.id(), e);
      }
    }
  }

  /** How many segments here were begun before something was deleted, and may hold it. */
  public int old() {
    return (int) ids().stream().filter(folder::isOld).count();
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

  /** A new active segment whose name is durable when this returns; blocks. */
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

  /** Forgets an active segment whose batches are in another one by now. */
  void forget(ActiveSegment copied) {
    unflushed.remove(copied.id());
  }

  /** All segments, whatever their state; each can be gone or in another state by now. */
  public Set<Ulid> ids() {
    Set<Ulid> ids = new HashSet<>(unflushed.keySet());
    ids.addAll(leases.ids()); // Last: a segment goes from the former to the latter.
    return ids;
  }

  /**
   * A segment's open file, the receiver's to close.
   *
   * @param bytes of the segment; there may be others after them
   * @param growing whether there may be more soon
   */
  public record Opened(ReadableFile file, long bytes, boolean growing) {}

  /**
   * Opens a segment, whatever its state; empty if there is none of that name any more.
   *
   * <p>Looks for its states in their order: an active one can become flushed meanwhile, but nothing
   * is claimed or given back, so no segment is missed on its way.
   */
  public Optional<Opened> open(Ulid id) throws IOException {
    return leases.undisturbed(() -> openInAnyState(id));
  }

  private Optional<Opened> openInAnyState(Ulid id) throws IOException {
    for (IngestSegmentState state : SEEN) {
      try {
        return Optional.of(opened(folder.open(id, state), id, state));
      } catch (NoSuchFileException e) {
        // Not in this state; the next one is tried.
      }
    }
    unflushed.remove(id);
    return Optional.empty();
  }

  /** Keeps a flushed segment readable; false if there is none of that name that is flushed. */
  boolean pin(Ulid id) throws IOException {
    return leases.undisturbed(() -> {
      if (leases.has(id)) {
        folder.pin(id);
        return true;
      }
      return false;
    });
  }

  ReadableFile openPinned(Ulid id) throws IOException {
    Optional<Opened> here = open(id);
    return here.isPresent() ? here.get().file() : folder.open(id, IngestSegmentState.SPARE);
  }

  void unpin(Ulid id) throws IOException {
    folder.unpin(id);
  }

  private Opened opened(ReadableFile file, Ulid id, IngestSegmentState state) throws IOException {
    ActiveSegment active = unflushed.get(id);
    boolean growing = state == IngestSegmentState.ACTIVE || state == IngestSegmentState.REUSED;
    long bytes = !growing ? file.size() : active == null ? 0 : active.wholeBytes();
    return new Opened(file, bytes, growing);
  }

  /** Lets a durable segment be claimed. */
  public void add(FlushedSegment segment) {
    leases.add(segment);
    unflushed.remove(segment.id());
  }

  /** Ends waiting claims, and releases the folder. */
  @Override
  public void close() throws IOException {
    leases.close();
    folderLock.close();
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestMetrics;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments that stores can have: flushed ones in a queue, the oldest first, claimed ones under
 * their leases, and those that no store could store and none is given any more. Leases are looked
 * at when somebody asks for something, so no thread is needed for them. Blocks for as long as a
 * rename takes. For one thread at a time: guarded by the lock of {@link SegmentLeases}.
 */
final class ClaimQueue {
  private static final Logger log = LoggerFactory.getLogger(ClaimQueue.class);

  private final SegmentFolder folder;
  private final Lease lease;
  private final IngestMetrics metrics;
  private final Supplier<Ulid> places;
  private final TreeMap<Ulid, FlushedSegment> flushed = new TreeMap<>();
  private final Map<Ulid, FlushedSegment> flushedById = new HashMap<>();
  private final Map<Ulid, PendingSegment> pending = new HashMap<>();
  private final Map<Ulid, QuarantinedSegment> quarantined = new TreeMap<>();
  private final StoreFailures failures = new StoreFailures();
  private final WithheldSegments withheld;

  /** Whose leases ran out and that could not be flushed again. */
  private final Set<Ulid> stuck = new HashSet<>();

  /**
   * @param places after all that wait, for segments that are given back
   */
  ClaimQueue(SegmentFolder folder, Lease lease, IngestMetrics metrics, Supplier<Ulid> places) {
    this.folder = folder;
    this.lease = lease;
    this.metrics = metrics;
    this.places = places;
    this.withheld = new WithheldSegments(folder, metrics);
  }

  int waiting() {
    return flushed.size();
  }

  int claimed() {
    return pending.size();
  }

  List<QuarantinedSegment> quarantined() {
    return List.copyOf(quarantined.values());
  }

  /** Bytes of those that wait or are claimed. */
  long bytes() {
    return flushed.values().stream().mapToLong(FlushedSegment::bytes).sum()
        + pending.values().stream().mapToLong(PendingSegment::bytes).sum();
  }

  Stream<Ulid> ids() {
    return Stream.of(flushedById, pending, quarantined).flatMap(some -> some.keySet().stream());
  }

  boolean has(Ulid id) {
    return pending.containsKey(id) || flushedById.containsKey(id) || quarantined.containsKey(id);
  }

  void add(FlushedSegment segment) {
    flushed.put(segment.place(), segment);
    flushedById.put(segment.id(), segment);
  }

  void add(QuarantinedSegment segment) {
    quarantined.put(segment.id(), segment);
  }

  /**
   * Gives the first flushed segments to a store, for the time of the lease.
   *
   * @param store which is given no segment with labels if it does not take them
   * @param max segments, at least 1
   * @param maxBytes of all of them; the first may have more
   */
  List<PendingSegment> claim(Claimant store, int max, long maxBytes) throws IOException {
    List<PendingSegment> claimed = new ArrayList<>();
    long bytes = 0;
    Optional<FlushedSegment> next = next(store);
    while (claimed.size() < max && next.isPresent()) {
      bytes += next.get().bytes();
      if (!claimed.isEmpty() && bytes > maxBytes) {
        break;
      }
      try {
        claim(next.get(), store).ifPresent(claimed::add);
        next = next(store);
      } catch (IOException e) {
        if (claimed.isEmpty()) {
          throw e;
        }
        log.warn("{}: not claimed; {} before it were", folder.path(), claimed.size(), e);
        break;
      }
    }
    return claimed;
  }

  /** The first that a store takes. */
  private Optional<FlushedSegment> next(Claimant store) {
    return flushed.values().stream()
        .filter(segment -> store.takesLabels() || !withheld.isWithheld(segment, store))
        .findFirst();
  }

  private Optional<PendingSegment> claim(FlushedSegment first, Claimant store) throws IOException {
    try {
      PendingSegment claimed = first.claim(folder, store.name(), lease.endNanos(first.bytes()));
      forget(first);
      pending.put(claimed.id(), claimed);
      return Optional.of(claimed);
    } catch (NoSuchFileException e) {
      log.error("{}: a flushed segment is gone that was not committed", first.id(), e);
      forget(first);
      return Optional.empty();
    }
  }

  private void forget(FlushedSegment segment) {
    withheld.forget(segment);
    flushed.remove(segment.place());
    flushedById.remove(segment.id());
  }

  /** A segment that is claimed, and whose lease has not run out. */
  PendingSegment claimed(Ulid id) throws SegmentRefusedException {
    boolean _ = expireLeases();
    PendingSegment segment = pending.get(id);
    if (segment != null) {
      return segment;
    }
    if (has(id)) {
      throw new SegmentRefusedException(
          SegmentRefusedException.Reason.NOT_CLAIMED,
          "segment "
              + id
              + ": expected to be claimed, found that its lease ran out or never began");
    }
    throw new SegmentRefusedException(
        SegmentRefusedException.Reason.UNKNOWN, "segment " + id + ": unknown, or committed before");
  }

  /** Ends a claimed segment. */
  void commit(PendingSegment segment) throws IOException {
    segment.commit(folder);
    pending.remove(segment.id());
    failures.committed(segment.id(), segment.store());
  }

  /** Puts a claimed segment after those that wait. */
  void giveBack(PendingSegment segment) throws IOException {
    FlushedSegment back = segment.fail(folder, places.get());
    pending.remove(segment.id());
    add(back);
  }

  /**
   * Puts a segment that a store could not store after those that wait, or in quarantine if no store
   * can.
   */
  void fail(PendingSegment segment) throws IOException {
    if (!failures.add(segment.id(), segment.store())) {
      giveBack(segment);
      return;
    }
    add(segment.quarantine(folder));
    pending.remove(segment.id());
    metrics.quarantines.increment();
    log.error(
        "{}: not stored {} times, while stores stored others: quarantined. Queries find its"
            + " records, but no store gets them. To let stores try again: POST {}",
        segment.id(),
        StoreFailures.MOST,
        ApiPaths.QUARANTINE_RELEASE + "?id=" + segment.id());
  }

  /** Puts a segment that was in quarantine after those that wait. */
  void release(Ulid id) throws IOException, SegmentRefusedException {
    QuarantinedSegment segment = quarantined.get(id);
    if (segment == null) {
      throw new SegmentRefusedException(
          SegmentRefusedException.Reason.UNKNOWN, "segment " + id + ": not in quarantine");
    }
    quarantined.remove(id);
    try {
      add(segment.release(folder, places.get()));
    } catch (NoSuchFileException e) {
      throw new SegmentRefusedException(
          SegmentRefusedException.Reason.UNKNOWN, "segment " + id + ": its file is gone");
    } catch (IOException e) {
      add(segment);
      throw e;
    }
    log.info("{}: released from quarantine", id);
  }

  /** Deletes a segment that is in quarantine, if it still is. */
  void drop(QuarantinedSegment segment) throws IOException {
    if (quarantined.remove(segment.id()) != null) {
      folder.delete(segment.id(), IngestSegmentState.QUARANTINED);
      folder.force();
    }
  }

  /** A store has stored a segment too late, so that it is not to blame. */
  void storedLate(Ulid id) {
    failures.forget(id);
  }

  /**
   * Gives back what was claimed too long ago; whether there was any. One that cannot be given back
   * keeps no other from it.
   */
  boolean expireLeases() {
    long now = lease.nowNanos();
    boolean some = false;
    for (PendingSegment segment : pending.values().toArray(PendingSegment[]::new)) {
      if (segment.isExpired(now)) {
        some |= expire(segment);
      }
    }
    return some;
  }

  private boolean expire(PendingSegment segment) {
    try {
      log.warn(
          "{}: claimed by {} and not committed within {}",
          segment.id(),
          segment.store(),
          lease.length());
      fail(segment);
      stuck.remove(segment.id());
      metrics.expiredLeases.increment();
      return true;
    } catch (NoSuchFileException e) {
      pending.remove(segment.id());
      failures.forget(segment.id());
      log.error("{}: a claimed segment is gone that was not committed", segment.id(), e);
      return true;
    } catch (IOException e) {
      if (stuck.add(segment.id())) {
        log.error("{}: cannot be flushed again, and is tried again and again", segment.id(), e);
      }
      return false;
    }
  }
}

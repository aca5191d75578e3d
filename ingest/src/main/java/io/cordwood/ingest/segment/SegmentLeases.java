package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestMetrics;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The leases of flushed segments. Stores claim them, the oldest first, under a lease; read them;
 * commit them or give them back.
 *
 * <p>All methods block for as long as a rename takes, and are for any thread but an event loop. One
 * lock guards the queue.
 */
public final class SegmentLeases {
  /** How often a waiting claim looks whether its client left. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final Duration NEVER = Duration.ofDays(365);

  private final SegmentFolder folder;
  private final IngestMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition committed = lock.newCondition();
  private final Lease lease;
  private final ClaimQueue queue;
  private final RecentCommits commits = new RecentCommits();
  private boolean closed;
  private volatile long lastClaimNanos;

  /** The state of a segment, as far as it is known here. */
  public enum Whereabouts {
    /** It is here: flushed, claimed, or quarantined. */
    HERE,
    /** It was committed: it is on as many stores as there have to be. */
    COMMITTED,
    /** It never was here, or it was committed long ago, or by the process before this one. */
    UNKNOWN
  }

  /**
   * @param places after all that wait, for segments that are given back
   */
  SegmentLeases(SegmentFolder folder, Lease lease, IngestMetrics metrics, Supplier<Ulid> places) {
    this.folder = folder;
    this.metrics = metrics;
    this.lease = lease;
    this.lastClaimNanos = lease.nowNanos() - NEVER.toNanos();
    this.queue = new ClaimQueue(folder, lease, metrics, places);
  }

  void registerGauges() {
    String name = "cordwood_ingest_segments";
    metrics.registry.gauge(name, Tags.of("state", "flushed"), this, SegmentLeases::waiting);
    metrics.registry.gauge(
        name, Tags.of("state", "pending"), this, leases -> leases.now(ClaimQueue::claimed));
    metrics.registry.gauge(
        name, Tags.of("state", "quarantined"), this, leases -> leases.quarantined().size());
  }

  /** Segments that wait to be claimed. */
  public int waiting() {
    return now(ClaimQueue::waiting);
  }

  /** Segments that are flushed, or claimed and not committed. */
  public int held() {
    return now(q -> q.waiting() + q.claimed());
  }

  /** Bytes of them. */
  public long backlogBytes() {
    return now(ClaimQueue::bytes);
  }

  /** Segments that no store could store, and none is given any more; the oldest first. */
  public List<QuarantinedSegment> quarantined() {
    return now(ClaimQueue::quarantined);
  }

  /** The names of all. */
  Set<Ulid> ids() {
    return now(q -> q.ids().collect(Collectors.toSet()));
  }

  /** Whether it is flushed, claimed or in quarantine. */
  boolean has(Ulid id) {
    return now(q -> q.has(id));
  }

  private <T> T now(Function<ClaimQueue, T> what) {
    lock.lock();
    try {
      return what.apply(queue);
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody asked for a segment, or waited for one, so lately. */
  public boolean claimedWithin(Duration time) {
    return lease.nowNanos() - lastClaimNanos < time.toNanos();
  }

  /** Something that is done with files. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** Does something while no segment is claimed, given back or committed. */
  <T> T undisturbed(Work<T> work) throws IOException {
    lock.lock();
    try {
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a segment from all stores, as before a restart. */
  void add(QuarantinedSegment segment) {
    lock.lock();
    try {
      queue.add(segment);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a durable segment be claimed. */
  void add(FlushedSegment segment) {
    lock.lock();
    try {
      queue.add(segment);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the oldest flushed segments to the caller, for the time of the lease. All wait in one
   * queue, however they came: one that went before its turn would be one that keeps others waiting.
   *
   * @param store that asks
   * @param max segments, at least 1
   * @param maxBytes of all of them; the first may have more
   * @param longestWait for one, if there is none
   * @param gone whether the caller does not want any more; asked now and then
   * @return empty if there was none in time
   */
  public List<PendingSegment> claim(
      Claimant store, int max, long maxBytes, Duration longestWait, BooleanSupplier gone)
      throws IOException {
    long end = System.nanoTime() + longestWait.toNanos();
    lock.lock();
    try {
      while (!closed && !gone.getAsBoolean()) {
        lastClaimNanos = lease.nowNanos();
        if (queue.expireLeases()) {
          changed.signalAll();
        }
        List<PendingSegment> next = queue.claim(store, max, maxBytes);
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
    } catch (SegmentRefusedException e) {
      queue.storedLate(id);
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a claimed segment back; it goes after those that wait. */
  public void fail(Ulid id) throws IOException, SegmentRefusedException {
    end(id, queue::giveBack);
  }

  /**
   * Gives a claimed segment back that the store could not store, by itself alone. After some of
   * these, no store is given it any more, if stores could store others meanwhile.
   */
  public void failUnstorable(Ulid id) throws IOException, SegmentRefusedException {
    end(id, queue::fail);
  }

  /** Lets stores try a segment again that is in quarantine. */
  public void release(Ulid id) throws IOException, SegmentRefusedException {
    lock.lock();
    try {
      queue.release(id);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes what is deleted out of a segment that is in quarantine. */
  void rewrite(QuarantinedSegment segment, QuarantineRewrite rewrite, Ulid id) throws IOException {
    QuarantineRewrite.Rewritten rewritten = rewrite.rewrite(segment, id);
    lock.lock();
    try {
      rewritten.rest().ifPresent(queue::add);
      if (rewritten.isOver()) {
        queue.drop(segment);
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private interface Ending {
    void end(PendingSegment segment) throws IOException;
  }

  private void end(Ulid id, Ending ending) throws IOException, SegmentRefusedException {
    lock.lock();
    try {
      ending.end(queue.claimed(id));
      changed.signal();
      metrics.failedSegments.increment();
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

  /** Ends those who wait. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      committed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

package io.cordwood.ingest.mode;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.ActiveSegment;
import io.cordwood.ingest.segment.Flusher;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.IngestLog;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of durable mode: one active segment at a time, for all event loops, which is forced
 * after every group. Files in which something failed are given up and left to the flusher, cut
 * where they were forced last. Owned by the committer's thread; blocks.
 */
final class DurableFiles {
  private static final Logger log = LoggerFactory.getLogger(DurableFiles.class);
  private static final Duration FLUSHER_RETRY = Duration.ofMillis(5);

  private final IngestLog segments;
  private final Flusher flusher;
  private final IngestOptions.Flushing options;
  private final Duration closing;
  private final Counter pausesForFlusher;
  private final PreparedSegments prepared;
  private final Deque<ActiveSegment> givenUp = new ArrayDeque<>();
  private @Nullable ActiveSegment active;
  private long flushAtNanos;

  DurableFiles(IngestOptions options, IngestDisk disk, Counter pausesForFlusher) {
    this.segments = disk.segments();
    this.flusher = disk.flusher();
    this.options = options.flushing();
    this.closing = options.limits().drain();
    this.pausesForFlusher = pausesForFlusher;
    this.prepared = new PreparedSegments(segments);
  }

  /**
   * Appends a group and forces it; when this returns, it survives a loss of power. It is in one
   * write if the operating system takes it as one.
   *
   * @throws IOException if anything failed; then {@link #giveUp} must be called
   */
  void commit(CommitGroup group) throws IOException {
    if (!leaveGivenUp()) {
      throw new IOException(
          segments.path()
              + ": expected the flusher to take over what failed before, it takes nothing");
    }
    ActiveSegment segment = active != null ? active : create();
    segment.append(group.buffers(), group.bytes());
    segment.force();
    if (segment.wholeBytes() >= options.segmentBytes() / 2) {
      prepared.prepare();
    }
  }

  private ActiveSegment create() throws IOException {
    ActiveSegment next = prepared.take();
    ActiveSegment segment = next != null ? next : segments.createDurably();
    active = segment;
    flushAtNanos = System.nanoTime() + options.age().toNanos();
    return segment;
  }

  /** Leaves the active segment as it was at its last force; the next group goes to a new one. */
  void giveUp() {
    if (active != null) {
      active.cutToForced();
      givenUp.add(active);
      active = null;
    }
    boolean _ = leaveGivenUp();
  }

  /** False if the flusher does not take all. */
  private boolean leaveGivenUp() {
    while (!givenUp.isEmpty() && flusher.offer(givenUp.element())) {
      givenUp.remove();
    }
    return givenUp.isEmpty();
  }

  /** Nanoseconds until {@link #flushIfDue} has something to do. */
  long untilDueNanos() {
    if (active == null) {
      return Long.MAX_VALUE;
    }
    return isFull(active) ? 0 : flushAtNanos - System.nanoTime();
  }

  private boolean isFull(ActiveSegment segment) {
    return segment.wholeBytes() >= options.segmentBytes();
  }

  /** Flushes the active segment a short time from now, if that is not due before. */
  void flushSoon() {
    long at = System.nanoTime() + options.afterClose().toNanos();
    if (active != null && flushAtNanos - at > 0) {
      flushAtNanos = at;
    }
  }

  /** Hands the active segment over if it is old or full; waits if it is full and not taken. */
  void flushIfDue() {
    while (untilDueNanos() <= 0 && !handOver()) {
      pausesForFlusher.increment();
      if (active != null && isFull(active)) {
        LockSupport.parkNanos(FLUSHER_RETRY.toNanos());
      } else {
        flushAtNanos = System.nanoTime() + FLUSHER_RETRY.toNanos();
      }
    }
  }

  private boolean handOver() {
    if (active != null && !flusher.offer(active)) {
      return false;
    }
    active = null;
    return true;
  }

  /** Drops a file that was prepared and holds no batch yet, soon. Any thread. */
  void dropPrepared() {
    prepared.drop();
  }

  /** Hands everything over; what the flusher does not take in time, the next start recovers. */
  void flushAll() {
    prepared.close();
    long end = System.nanoTime() + closing.toNanos();
    while (!handOver() || !leaveGivenUp()) {
      if (System.nanoTime() - end > 0) {
        log.error("{}: segments are left to the next start", segments.path());
        return;
      }
      LockSupport.parkNanos(FLUSHER_RETRY.toNanos());
    }
  }
}

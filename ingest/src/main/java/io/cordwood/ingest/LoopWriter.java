package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what the connections of one event loop receive to the loop's own active segment, and
 * decides when that is flushed. Owned by the loop; no lock.
 *
 * <p>While the disk or the flusher takes nothing, no connection of the loop is read; those that
 * hold what could not be written wait in line, and a timer lets them try again.
 */
final class LoopWriter {
  /** A connection of this loop. */
  interface Member {
    /** Stops reading; nothing can be written now. */
    void pause();

    /** Reads on. */
    void goOn();

    /** For one that was turned away: tries again; may be turned away again. */
    void retry();
  }

  private static final Logger log = LoggerFactory.getLogger(LoopWriter.class);
  private static final long FLUSHER_RETRY_MILLIS = 5;
  private static final long DISK_RETRY_MILLIS = 250;

  private final EventLoop loop;
  private final IngestLog segments;
  private final Flusher flusher;
  private final DiskSpace space;
  private final IngestOptions.Flushing options;
  private final IngestMetrics metrics;

  private final Set<Member> members = new HashSet<>();
  private final Deque<Member> waiting = new ArrayDeque<>();
  private @Nullable ActiveSegment active;
  private @Nullable ScheduledFuture<?> flushTimer;
  private @Nullable ScheduledFuture<?> retryTimer;
  private long flushAtNanos;
  private boolean diskTroubled;
  private boolean paused;

  LoopWriter(EventLoop loop, IngestParts parts) {
    this.loop = loop;
    this.segments = parts.segments();
    this.flusher = parts.flusher();
    this.space = parts.space();
    this.options = parts.options().flushing();
    this.metrics = parts.metrics();
  }

  /**
   * Appends whole batches. When it returns true, they are in the file and survive the end of the
   * process.
   *
   * @param batches headers and payloads in order; their positions do not move
   * @return false if nothing can be written now; then nothing was. The caller keeps the batches,
   *     stops reading and calls {@link #await}
   */
  boolean append(ByteBuffer[] batches, long bytes) {
    if (retryTimer != null) {
      return false;
    }
    if (isFull(active) && !handOver()) {
      return turnAway(metrics.pausesForFlusher, FLUSHER_RETRY_MILLIS);
    }
    if (!space.take(bytes)) {
      diskTrouble("the disk's reserve is reached; reading stops until there is space", null);
      return turnAway(metrics.pausesForDisk, DISK_RETRY_MILLIS);
    }
    if (!write(batches, bytes) && !(isFull(active) && handOver() && write(batches, bytes))) {
      return turnAway(metrics.pausesForDisk, DISK_RETRY_MILLIS);
    }
    diskTroubled = false;
    if (isFull(active) && !handOver()) {
      flushWithin(Duration.ofMillis(FLUSHER_RETRY_MILLIS));
    }
    return true;
  }

  private boolean isFull(@Nullable ActiveSegment segment) {
    return segment != null && (segment.broken() || segment.wholeBytes() >= options.segmentBytes());
  }

  private boolean write(ByteBuffer[] batches, long bytes) {
    try {
      ActiveSegment segment = active;
      if (segment == null) {
        segment = segments.create();
        active = segment;
        flushWithin(options.age());
      }
      segment.append(batches, bytes);
      return true;
    } catch (IOException e) {
      metrics.writeErrors.increment();
      diskTrouble("cannot write; what was received is kept and tried again", e);
      return false;
    }
  }

  private void diskTrouble(String what, @Nullable IOException cause) {
    if (!diskTroubled) {
      String why = cause == null ? "" : ": " + cause.getMessage();
      log.error("{}: {}{}", segments.folder().path(), what, why);
    }
    diskTroubled = true;
  }

  private boolean turnAway(Counter pauses, long retryMillis) {
    pauses.increment();
    if (!paused) {
      paused = true;
      members.forEach(Member::pause);
    }
    retryTimer = loop.schedule(this::retry, retryMillis, TimeUnit.MILLISECONDS);
    return false;
  }

  private void retry() {
    retryTimer = null;
    for (int left = waiting.size(); left > 0; left--) {
      waiting.remove().retry();
    }
    if (retryTimer == null) {
      paused = false;
      members.forEach(Member::goOn);
    }
  }

  /** Calls back when it is worth another try. */
  void await(Member member) {
    waiting.add(member);
  }

  void add(Member member) {
    members.add(member);
    if (paused) {
      member.pause();
    }
  }

  void remove(Member member) {
    members.remove(member);
  }

  /** Whether this is still the active segment. */
  boolean isActive(@Nullable ActiveSegment segment) {
    return segment != null && segment == active;
  }

  /** Where the last append went; null if that is with the flusher already. */
  @Nullable ActiveSegment active() {
    return active;
  }

  /** Flushes the active segment soon, at least after so long. */
  void flushWithin(Duration longest) {
    long at = System.nanoTime() + longest.toNanos();
    if (flushTimer != null && flushAtNanos - at <= 0) {
      return;
    }
    cancelFlush();
    flushAtNanos = at;
    flushTimer = loop.schedule(this::flushDue, longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cancelFlush() {
    if (flushTimer != null) {
      flushTimer.cancel(false);
      flushTimer = null;
    }
  }

  private void flushDue() {
    flushTimer = null;
    if (!handOver()) {
      flushWithin(Duration.ofMillis(FLUSHER_RETRY_MILLIS));
    }
  }

  /** Gives the active segment, if there is one, to the flusher; false if that takes none now. */
  boolean handOver() {
    if (active != null && !flusher.offer(active)) {
      return false;
    }
    active = null;
    cancelFlush();
    return true;
  }
}

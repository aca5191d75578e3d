package io.cordwood.ingest.mode;

import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.ActiveSegment;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.Flusher;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.IngestLog;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
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
final class FastWriter extends LoopWriter {
  private static final Logger log = LoggerFactory.getLogger(FastWriter.class);
  private static final long FLUSHER_RETRY_MILLIS = 5;

  private final EventLoop loop;
  private final IngestLog segments;
  private final Flusher flusher;
  private final DiskSpace space;
  private final IngestOptions.Flushing options;
  private final IngestMetrics metrics;

  private @Nullable ActiveSegment active;
  private @Nullable ScheduledFuture<?> flushTimer;
  private long flushAtNanos;
  private boolean diskTroubled;
  private long segmentNumber;

  FastWriter(
      EventLoop loop, IngestOptions.Flushing options, IngestDisk disk, IngestMetrics metrics) {
    super(loop);
    this.loop = loop;
    this.segments = disk.segments();
    this.flusher = disk.flusher();
    this.space = disk.space();
    this.options = options;
    this.metrics = metrics;
  }

  /** When it returns true, the batches are in the file and survive the end of the process. */
  @Override
  boolean take(StampedBatch batch, BatchOutcomes outcomes) {
    if (isFull(active) && !handOver()) {
      return gate().shut(metrics.pausesForFlusher, FLUSHER_RETRY_MILLIS);
    }
    if (!space.take(batch.fileBytes())) {
      diskTrouble("the disk's reserve is reached; reading stops until there is space", null);
      return gate().shut(metrics.pausesForDisk, DiskSpace.RETRY_MILLIS);
    }
    if (!write(batch) && !(isFull(active) && handOver() && write(batch))) {
      return gate().shut(metrics.pausesForDisk, DiskSpace.RETRY_MILLIS);
    }
    diskTroubled = false;
    if (isFull(active) && !handOver()) {
      flushWithin(Duration.ofMillis(FLUSHER_RETRY_MILLIS));
    }
    outcomes.safe(batch.account(), batch.records(), batch.wireBytes());
    return true;
  }

  private boolean isFull(@Nullable ActiveSegment segment) {
    return segment != null && (segment.broken() || segment.wholeBytes() >= options.segmentBytes());
  }

  private boolean write(StampedBatch batch) {
    try {
      ActiveSegment segment = active;
      if (segment == null) {
        segment = segments.create();
        active = segment;
        segmentNumber++;
        flushWithin(options.age());
      }
      segment.append(batch.buffers(), batch.fileBytes());
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
      log.error("{}: {}{}", segments.path(), what, why);
    }
    diskTroubled = true;
  }

  @Override
  long segment() {
    return segmentNumber;
  }

  @Override
  void flushSoon(long segment) {
    if (active != null && segment == segmentNumber) {
      flushWithin(options.afterClose());
    }
  }

  /** Flushes the active segment soon, at least after so long. */
  private void flushWithin(Duration longest) {
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

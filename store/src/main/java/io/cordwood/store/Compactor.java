package io.cordwood.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one segment of several, as {@link CompactionPlan} says. A crash at any point leaves the old
 * ones or the new one.
 *
 * <p>A segment that turns out to be damaged is salvaged and takes part again; one that cannot be
 * read, or not be salvaged, is left out until the next start, so that it holds up no other. One
 * thread.
 */
final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

  /** What is left free on the disk for what comes in meanwhile. */
  private static final long HEADROOM_BYTES = 64L << 20;

  private final StoreOptions options;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final Stopping stopping;
  private final CompactionPlan plan;
  private final Salvage salvage;
  private final Set<String> leftOut = new HashSet<>();

  Compactor(StoreOptions options, StoreLog log, StoreMetrics metrics, Stopping stopping) {
    this.options = options;
    this.log = log;
    this.metrics = metrics;
    this.stopping = stopping;
    this.plan = new CompactionPlan(options.targetBytes());
    this.salvage = new Salvage(log, metrics);
  }

  /** Does the next merge, if there is one to do; whether something was done. */
  boolean runOnce() throws IOException {
    List<LiveSegment> live =
        log.live().stream().filter(s -> !leftOut.contains(s.info().name())).toList();
    Optional<List<SegmentInfo>> next = plan.next(live.stream().map(LiveSegment::info).toList());
    if (next.isEmpty()) {
      return false;
    }
    var chosen = new HashSet<>(next.get());
    List<LiveSegment> inputs = live.stream().filter(s -> chosen.contains(s.info())).toList();
    if (!hasRoomFor(inputs)) {
      metrics.failed("compact-no-room");
      return false;
    }
    compact(inputs);
    return true;
  }

  private boolean hasRoomFor(List<LiveSegment> inputs) throws IOException {
    return log.folder().filesystem().usableBytes(log.folder().path())
        >= fileBytes(inputs) + HEADROOM_BYTES;
  }

  private static long fileBytes(List<LiveSegment> segments) {
    return segments.stream().mapToLong(s -> s.info().fileBytes()).sum();
  }

  private void compact(List<LiveSegment> inputs) throws IOException {
    long started = System.nanoTime();
    try (ActiveSegment active = log.newActive();
        var merge = new SegmentMerge(inputs)) {
      var pace = new Pace(options.compactionBytesPerSecond());
      merge.run(batch -> {
        active.append(batch);
        pace.keep(active.payloadBytes());
      });
      ActiveSegment.Flushed flushed = active.flush();
      long bytesOut = flushed.segment().fileBytes();
      log.replace(inputs, flushed);
      metrics.duplicates("compact", merge.duplicateRecords());
      Duration took = Duration.ofNanos(System.nanoTime() - started);
      metrics.compacted(fileBytes(inputs), bytesOut, took);
      LOG.debug("made one segment of {} in {}", inputs.size(), took);
    } catch (UnreadableSegmentException e) {
      unreadable(e);
    }
  }

  private void unreadable(UnreadableSegmentException e) {
    LiveSegment segment = e.segment();
    try {
      if (e.isDamaged()) {
        salvage.damaged(segment);
        return;
      }
      LOG.error("{}: cannot be read, left out of compaction", segment.file(), e);
    } catch (IOException cause) {
      LOG.error("{}: damaged and not salvaged, left out of compaction", segment.file(), cause);
    }
    metrics.unreadable();
    leftOut.add(segment.info().name());
  }

  /** Keeps a merge from going faster than it may, and ends it when the store stops. */
  private final class Pace {
    private static final long CHECK_BYTES = 1L << 20;

    private final long bytesPerSecond;
    private final long startNanos = System.nanoTime();
    private long checkedAt;

    Pace(long bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
    }

    void keep(long bytes) throws InterruptedIOException {
      if (bytes - checkedAt < CHECK_BYTES) {
        return;
      }
      checkedAt = bytes;
      long due = (long) (1e9 * bytes / bytesPerSecond);
      long early = due - (System.nanoTime() - startNanos);
      try {
        if (stopping.await(Duration.ofNanos(Math.max(early, 0)))) {
          throw new InterruptedIOException("the store stops; this compaction is done again later");
        }
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted while compacting");
      }
    }
  }
}

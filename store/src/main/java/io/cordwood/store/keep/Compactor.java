package io.cordwood.store.keep;

import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one segment of several, as {@link CompactionPlan} says. A crash at any point leaves the old
 * ones or the new one.
 *
 * <p>A segment that turns out to be damaged is salvaged and takes part again; one that cannot be
 * salvaged is left out until the next start, so that it holds up no other. One thread.
 */
final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

  private final StoreLog log;
  private final StoreMetrics metrics;
  private final CompactionPlan plan;
  private final DamageHandler damageHandler;
  private final DiskPace pace;

  Compactor(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      StopFlag stop,
      DamageHandler damageHandler) {
    this.log = log;
    this.metrics = metrics;
    this.plan = new CompactionPlan(options.gathering().targetBytes());
    this.damageHandler = damageHandler;
    this.pace = new DiskPace(options.compactionBytesPerSecond(), stop);
  }

  /**
   * Does the next merge for which there is room, if there is one to do; whether something was done.
   */
  boolean runOnce() throws IOException {
    List<LiveSegment> live = log.live().stream().filter(s -> !damageHandler.isLeftOut(s)).toList();
    List<LiveSegment> inputs = next(live);
    boolean noRoom = false;
    while (!inputs.isEmpty() && !log.folder().hasRoomToRewrite(fileBytes(inputs))) {
      noRoom = true;
      var without = new HashSet<>(inputs);
      live = live.stream().filter(s -> !without.contains(s)).toList();
      inputs = next(live);
    }
    if (noRoom) {
      metrics.failed("compact-no-room");
    }
    if (inputs.isEmpty()) {
      return false;
    }
    compact(inputs);
    return true;
  }

  private List<LiveSegment> next(List<LiveSegment> live) {
    var infos = live.stream().map(LiveSegment::info).toList();
    var chosen = new HashSet<>(plan.next(infos).orElse(List.of()));
    return live.stream().filter(s -> chosen.contains(s.info())).toList();
  }

  private static long fileBytes(List<LiveSegment> segments) {
    return segments.stream().mapToLong(s -> s.info().fileBytes()).sum();
  }

  /**
   * When the newest of some segments was written: what is made of them must not be kept for longer.
   * Empty if one is not yet under its name.
   */
  private Optional<Instant> written(List<LiveSegment> segments) throws IOException {
    Instant newest = Instant.MIN;
    try {
      for (LiveSegment segment : segments) {
        Instant each = log.folder().filesystem().modified(segment.file());
        newest = each.isAfter(newest) ? each : newest;
      }
      return Optional.of(newest);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void compact(List<LiveSegment> inputs) throws IOException {
    long started = System.nanoTime();
    long cpu = ThreadCpu.nanos();
    try (SegmentBuilder active = log.newActive();
        var merge = SegmentMerge.ofBatches(inputs, _ -> true)) {
      merge.run(batch -> {
        active.append(batch);
        pace.add(batch.payload().remaining());
      });
      Optional<Instant> written = written(inputs);
      SegmentBuilder.Flushed flushed =
          written.isPresent() ? active.flush(written.get()) : active.flush();
      long bytesOut = flushed.segment().fileBytes();
      log.replace(inputs, flushed);
      metrics.duplicates("compact", merge.duplicateRecords());
      Duration took = Duration.ofNanos(System.nanoTime() - started);
      metrics.compacted(fileBytes(inputs), bytesOut, took);
      LOG.debug("made one segment of {} in {}", inputs.size(), took);
    } catch (UnreadableSegmentException e) {
      LOG.warn("{}: found while compacting: {}", e.segment().file(), e.getMessage());
      damageHandler.heal(e.segment());
    } finally {
      metrics.compactionCpu(ThreadCpu.nanos() - cpu);
    }
  }
}

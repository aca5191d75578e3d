package io.cordwood.store.repair;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.segment.SegmentSalvage;
import io.cordwood.store.DiskPace;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StopFlag;
import io.cordwood.store.keep.MaintenanceLoop;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every live segment again, time after time, and checks every byte: header, blocks, batch
 * tables, filter, index, footer. What is damaged, or cannot be read, is left to the {@link
 * MaintenanceLoop}.
 *
 * <p>A segment is due some time after it was written or last checked, the one that waits longest
 * first. When a segment was checked is remembered in memory only: after a start, those are due
 * whose files are old. What the OS still has in memory is read from there, so the disk is asked
 * about segments that nobody has read lately, which are those that rot unseen.
 *
 * <p>One platform thread, never interrupted. Memory: that of one block, and a time for each
 * segment.
 */
final class Scrub implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

  private final StoreLog log;
  private final Filesystem filesystem;
  private final Duration every;
  private final InstantSource clock;
  private final RepairMetrics metrics;
  private final StopFlag stop;
  private final DiskPace pace;
  private final Map<String, Instant> checked = new HashMap<>();

  Scrub(
      StoreLog log,
      RepairOptions options,
      InstantSource clock,
      RepairMetrics metrics,
      StopFlag stop) {
    this.log = log;
    this.filesystem = log.folder().filesystem();
    this.every = options.scrubEvery();
    this.clock = clock;
    this.metrics = metrics;
    this.stop = stop;
    this.pace = new DiskPace(options.scrubBytesPerSecond(), stop);
  }

  @Override
  public void run() {
    try {
      stop.repeat(this::step);
    } catch (InterruptedException e) {
      LOG.error("interrupted, scrubs no more; nobody should interrupt it", e);
    }
  }

  /** Looks once; how long to wait then. */
  private Duration step() {
    try {
      return runOnce() ? Duration.ZERO : LOOK_EVERY;
    } catch (RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      metrics.repairFailed("scrub");
      LOG.error("scrubbing failed, and goes on with the next segment", e);
      return LOOK_EVERY;
    }
  }

  /** Checks the segment that is due, if one is; whether one was. */
  boolean runOnce() {
    Instant now = clock.instant();
    Optional<LiveSegment> next = due(log.live(), now);
    next.ifPresent(segment -> {
      checked.put(segment.info().name(), now);
      check(segment);
    });
    return next.isPresent();
  }

  private Optional<LiveSegment> due(List<LiveSegment> live, Instant now) {
    var last = new HashMap<String, Instant>();
    live.forEach(segment -> last.put(segment.info().name(), lastChecked(segment, now)));
    checked.keySet().retainAll(last.keySet());
    checked.putAll(last);
    return live.stream()
        .filter(segment -> !checkedAt(segment).plus(every).isAfter(now))
        .min(Comparator.comparing(this::checkedAt));
  }

  private Instant checkedAt(LiveSegment segment) {
    return checked.getOrDefault(segment.info().name(), Instant.EPOCH);
  }

  private Instant lastChecked(LiveSegment segment, Instant now) {
    Instant known = checked.get(segment.info().name());
    if (known != null) {
      return known;
    }
    try {
      return filesystem.modified(segment.file());
    } catch (IOException e) {
      // It may be gone by now; if it is not, checking it will tell what is wrong.
      return now.minus(every);
    }
  }

  private void check(LiveSegment segment) {
    try (ReadableFile file = filesystem.open(segment.file())) {
      SegmentSalvage found = SegmentSalvage.scan(new Paced(file));
      metrics.scrubbedSegment();
      if (!found.damage().isEmpty()) {
        suspect(segment, found.damage().toString());
      }
    } catch (NoSuchFileException | InterruptedIOException e) {
      // It was merged or trashed a moment ago, or the store stops: nothing is known of it.
      LOG.debug("{}: not scrubbed: {}", segment.file(), e.toString());
    } catch (IOException e) {
      suspect(segment, e.toString());
    }
  }

  private void suspect(LiveSegment segment, String damage) {
    LOG.warn("{}: damage found by scrubbing: {}", segment.file(), damage);
    metrics.scrubFoundDamage();
    log.suspect(segment);
  }

  /** Counts what is read, and holds it up. */
  private final class Paced implements ByteSource {
    private final ByteSource source;

    Paced(ByteSource source) {
      this.source = source;
    }

    @Override
    public long size() throws IOException {
      return source.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      int bytes = target.remaining();
      source.read(target, position);
      metrics.scrubbed(bytes);
      pace.add(bytes);
    }
  }
}

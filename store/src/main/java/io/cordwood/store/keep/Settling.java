package io.cordwood.store.keep;

import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SettledSegment;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rewrites each segment once, in its settled form, when it is old enough and compaction leaves it.
 *
 * <p>It gives way to everything: it works in short steps between which the keeper looks for what
 * else is due, goes no faster than it may, and waits between two blocks while a query has segments
 * open. A crash leaves the segment as it was or as it is to be; until the exchange, what was
 * written is a file that promises nothing. A segment that turns out to be damaged is salvaged, as
 * by compaction. One thread, that of the {@link MaintenanceLoop}.
 */
final class Settling implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

  /** Before compression; what is smaller would hardly become smaller. */
  private static final long LEAST_RAW_BYTES = 1 << 20;

  /** How long it works before others have a turn. */
  private static final Duration TURN = Duration.ofMillis(200);

  private static final Duration WHILE_QUERIES_RUN = Duration.ofMillis(50);
  private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);

  private final Duration after;
  private final long bytesPerSecond;
  private final long leastBytes;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final CompactionPlan plan;
  private final DamageHandler damageHandler;
  private final InstantSource clock;
  private final DiskPace pace;
  private @Nullable SettledSegment job;
  private long jobNanos;
  private volatile int waiting;

  Settling(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      InstantSource clock,
      StopFlag stop,
      DamageHandler damageHandler) {
    this.after = options.settling().after();
    this.bytesPerSecond = options.settling().bytesPerSecond();
    this.leastBytes = Math.min(LEAST_RAW_BYTES, options.gathering().leastBytes());
    this.log = log;
    this.metrics = metrics;
    this.plan = new CompactionPlan(options.gathering().targetBytes());
    this.damageHandler = damageHandler;
    this.clock = clock;
    this.pace = new DiskPace(Math.max(1, bytesPerSecond), stop);
    metrics.watchSettling(() -> waiting);
  }

  /**
   * Works for a turn, if there is something to do and no query runs; how long to wait before the
   * next one.
   *
   * @throws InterruptedIOException if the store stops
   */
  Duration turn() throws IOException {
    if (bytesPerSecond == 0) {
      return UNTIL_NEXT_LOOK;
    }
    List<LiveSegment> due = due();
    waiting = due.size();
    if (due.isEmpty()) {
      giveUp();
      return UNTIL_NEXT_LOOK;
    }
    if (log.isQueried()) {
      return WHILE_QUERIES_RUN;
    }
    try {
      return work(due);
    } catch (UnreadableSegmentException e) {
      LOG.warn("{}: found while settling: {}", e.segment().file(), e.getMessage());
      giveUp();
      damageHandler.heal(e.segment());
      return Duration.ZERO;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      metrics.failed("settle");
      LOG.error("a segment cannot be settled now, and stays as it is until that is tried again", e);
      giveUp();
      return UNTIL_NEXT_LOOK;
    }
  }

  /** Oldest first. */
  private List<LiveSegment> due() {
    Instant before = clock.instant().minus(after);
    return log.live().stream()
        .filter(s -> !s.segment().isSettled() && !damageHandler.isLeftOut(s))
        .filter(s -> s.info().rawBytes() >= leastBytes && !plan.isSmall(s.info()))
        .filter(s -> !s.info().range().to().time().isAfter(before))
        .sorted(Comparator.comparing(s -> s.info().range().to()))
        .toList();
  }

  private Duration work(List<LiveSegment> due) throws IOException {
    SettledSegment current = job;
    if (current != null && !due.contains(current.source())) {
      giveUp();
      current = null;
    }
    long cpu = ThreadCpu.nanos();
    long started = System.nanoTime();
    try {
      if (current == null) {
        current = begin(due);
      }
      return current == null ? UNTIL_NEXT_LOOK : steps(current, started);
    } finally {
      jobNanos += System.nanoTime() - started;
      metrics.settleCpu(ThreadCpu.nanos() - cpu);
    }
  }

  /** Begins with the first for which there is room. */
  private @Nullable SettledSegment begin(List<LiveSegment> due) throws IOException {
    for (LiveSegment segment : due) {
      if (log.folder().hasRoomToRewrite(segment.info().fileBytes())) {
        jobNanos = 0;
        SettledSegment begun = log.newSettled(segment);
        job = begun;
        return begun;
      }
    }
    metrics.failed("settle-no-room");
    return null;
  }

  private Duration steps(SettledSegment current, long started) throws IOException {
    while (System.nanoTime() - started < TURN.toNanos() && !log.isQueried()) {
      int bytes = current.step();
      if (bytes == 0) {
        replace(current);
        return Duration.ZERO;
      }
      pace.add(bytes);
    }
    return Duration.ZERO;
  }

  private void replace(SettledSegment done) throws IOException {
    LiveSegment old = done.source();
    SegmentBuilder.Flushed flushed = done.flush();
    long bytesOut = flushed.segment().fileBytes();
    log.replace(List.of(old), flushed);
    giveUp();
    metrics.settled(old.info().fileBytes(), bytesOut, Duration.ofNanos(jobNanos));
    LOG.debug("{}: settled, {} bytes instead of {}", old.file(), bytesOut, old.info().fileBytes());
  }

  private void giveUp() throws IOException {
    SettledSegment last = job;
    job = null;
    if (last != null) {
      last.close();
    }
  }

  /** Leaves what is not done as it was. */
  @Override
  public void close() throws IOException {
    giveUp();
  }
}

package io.cordwood.store.keep;

import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.run.Backoff;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.ByTopic;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the segments in order: compacts when new ones have come, retains once a minute, treats
 * those that were found damaged, and settles old ones when there is nothing else to do. It alone
 * takes segments away. One platform thread, never interrupted; it sleeps while nothing changes.
 */
public final class MaintenanceLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceLoop.class);
  private static final long RETENTION_NANOS = Duration.ofMinutes(1).toNanos();

  private final StoreLog log;
  private final Compactor compactor;
  private final Settling settling;
  private final Retention retention;
  private final DeletionSweep sweep;
  private final DamageHandler damageHandler;
  private final StoreMetrics metrics;
  private final StopFlag stop;
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
  private final long retentionNanos;
  private long retainedNanos;

  /**
   * @param lost takes note of what damage took
   * @param bucket says what need not be kept, if there is one
   * @param deletions of what is not to be kept
   */
  public MaintenanceLoop(
      StoreOptions options,
      StoreLog log,
      LostRanges lost,
      Optional<BucketCopies> bucket,
      Supplier<Tombstones> deletions,
      StoreMetrics metrics,
      InstantSource clock,
      StopFlag stop)
      throws IOException {
    this.log = log;
    long evictionNanos =
        options.cold().map(it -> it.times().evictionPause().toNanos()).orElse(RETENTION_NANOS);
    this.retentionNanos = Math.min(RETENTION_NANOS, evictionNanos);
    this.retainedNanos = System.nanoTime() - retentionNanos;
    this.damageHandler = new DamageHandler(log, metrics, lost);
    var expiry = new TopicExpiry(options, log, metrics, damageHandler, stop);
    this.retention = new Retention(options, log, metrics, expiry, bucket, clock, System::nanoTime);
    this.compactor = new Compactor(options, log, metrics, stop, damageHandler);
    this.sweep = new DeletionSweep(options, log, metrics, damageHandler, deletions, stop);
    this.settling = new Settling(options, log, metrics, clock, stop, damageHandler);
    this.metrics = metrics;
    this.stop = stop;
  }

  /** The time before which records of a topic may be gone from this store; any thread. */
  public ByTopic<Instant> horizons() {
    return retention.horizons();
  }

  /** The time before which records are gone that by their age would be here; any thread. */
  public Optional<Instant> purgedEarlyBefore() {
    return retention.purgedEarlyBefore();
  }

  /** The time before which records may be in a bucket alone; any thread. */
  public Optional<Instant> evictedBefore() {
    return retention.evictedBefore();
  }

  /** Tells which deletions may still be in a file; any thread. */
  public void addTo(WaitingDeletions waiting) {
    sweep.addTo(waiting);
  }

  @Override
  public void run() {
    try {
      stop.repeat(this::step);
    } catch (InterruptedException e) {
      LOG.error("interrupted, compacts and retains no more; nobody should interrupt it", e);
    } finally {
      stopSettling();
    }
  }

  private void stopSettling() {
    try {
      settling.close();
    } catch (IOException e) {
      LOG.warn("a file of a segment that was not settled cannot be closed", e);
    }
  }

  /** Does what is due now; how long to wait then. */
  private Duration step() {
    long seen = log.version();
    try {
      damageHandler.healSuspects();
      finishSwaps(); // Retention looks at files, whose names may still be those of before.
      retainIfDue();
      boolean rewrote = retention.rewriteNext();
      boolean swept = sweep.runOnce();
      if (!compactor.runOnce() && !rewrote && !swept) {
        log.awaitChange(seen, settling.turn());
      }
      backoff.reset();
      return Duration.ZERO;
    } catch (IOException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      if (!stop.isStopping()) {
        metrics.failed("keep");
        LOG.error("compaction or retention failed, will be tried again", e);
      }
      return backoff.next();
    }
  }

  /** One that cannot be finished keeps nothing else from being done. */
  private void finishSwaps() {
    try {
      log.finishSwaps();
    } catch (RuntimeException e) {
      metrics.failed("swap");
      LOG.error("an exchange of segments cannot be finished, and is tried again", e);
    }
  }

  private void retainIfDue() throws IOException {
    if (System.nanoTime() - retainedNanos >= retentionNanos) {
      retention.run();
      retainedNanos = System.nanoTime();
    }
  }
}

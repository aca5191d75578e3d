package io.cordwood.store.repair;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.server.Routes;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.LostRanges;
import io.cordwood.store.keep.MaintenanceLoop;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.segment.StoreLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Maintains the segments that a store keeps, as threads that are still to be started. */
public final class MaintenanceThreads {
  private final MaintenanceLoop maintenance;
  private final Scrub scrub;
  private final Repair repair;
  private final HoldingsRoutes routes;
  private final HintedSlices hinted;
  private final HoldingsClient holdings;
  private final ReplicaClient replicas;
  private final KnownPeers peers;
  private final ProvenCopies proven;

  /**
   * @param bucket says what need not be kept, if there is one
   * @param deletions of what is not to be kept
   */
  public MaintenanceThreads(
      StoreOptions options,
      StoreLog log,
      Optional<BucketCopies> bucket,
      Deletions deletions,
      KnownPeers peers,
      KnownPartners partners,
      StoreMetrics metrics,
      MeterRegistry registry,
      InstantSource clock,
      StopFlag stop)
      throws IOException {
    this.peers = peers;
    holdings = new HoldingsClient(peers.credentials());
    var lost = new LostRanges();
    maintenance =
        new MaintenanceLoop(options, log, lost, bucket, deletions::known, metrics, clock, stop);
    deletions.whenChanged(log::lookAgain);
    var repairMetrics = new RepairMetrics(registry);
    scrub = new Scrub(log, options.repair(), clock, repairMetrics, stop);
    var fingerprints = new Fingerprints(log, options.repair(), stop);
    Supplier<Instant> settled = () -> clock.instant().minus(options.repair().repairAfter());
    hinted = new HintedSlices(options.repair().slice(), settled, repairMetrics);
    var ability = new CopyAbility(log.folder(), System::nanoTime);
    var own = new OwnSlices(log, fingerprints, maintenance::horizons, ability);
    routes = new HoldingsRoutes(peers.nodeId(), own, hinted, settled);
    replicas = ReplicaClient.of(peers, log.folder().filesystem(), stop);
    proven =
        new ProvenCopies(
            new ReplicatedFrom(
                Filesystem.real(),
                log.folder().replicatedFrom(),
                options.replicationFactor(),
                log.live().isEmpty() && !log.lacks().isDamaged(),
                partners.newest()),
            partners,
            log.lacks());
    var context =
        new RepairContext(
            options,
            new OwnContents(own, options, stop),
            holdings,
            replicas,
            RandomGenerator.getDefault(),
            System::nanoTime,
            repairMetrics,
            stop);
    repair =
        new Repair(
            context,
            peers,
            hinted,
            proven,
            new DamageCheck(context, peers, proven, log::restored),
            new Refetch(log, holdings, lost, maintenance::horizons, repairMetrics)::run,
            clock);
  }

  /**
   * From which time on, in milliseconds since 1970, all that this store holds has its copies. What
   * went before its time had them, too, or had not: that nobody knows any more. Nor is it known of
   * what went to a bucket, since stores do not compare it any more.
   */
  public long replicatedFromMillis() {
    long purged = maintenance.purgedEarlyBefore().map(Instant::toEpochMilli).orElse(0L);
    long evicted = maintenance.evictedBefore().map(Instant::toEpochMilli).orElse(0L);
    return Math.max(proven.from().millis(), Math.max(purged, evicted));
  }

  /**
   * The other stores that this one may need for what {@link #replicatedFromMillis} says, if that is
   * asked for later; empty if it may be any.
   */
  public Optional<Set<String>> partners() {
    proven.partners().look(peers.otherStores().stream().map(StorePeer::nodeId).toList());
    return proven.partners().ids();
  }

  /** Tells which deletions may still be in a file. */
  public void addTo(WaitingDeletions waiting) {
    maintenance.addTo(waiting);
  }

  /** Threads to be, by their names. */
  public Map<String, Runnable> workers() {
    return Map.of("keep", maintenance, "scrub", scrub, "repair", repair);
  }

  public void addRoutes(Routes to) {
    routes.addTo(to);
  }

  /** Breaks off calls of other stores and waiting for hints, so that no thread waits for them. */
  public void stopCalling() {
    hinted.end();
    holdings.close();
    replicas.close();
  }
}

package io.cordwood.store.repair;

import io.cordwood.common.http.Routes;
import io.cordwood.store.Neighbours;
import io.cordwood.store.Stopping;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.keep.Keeper;
import io.cordwood.store.keep.LostRanges;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.segment.StoreLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/** Maintains the segments that a store keeps, as threads that are still to be started. */
public final class Upkeep {
  private final Keeper keeper;
  private final Scrub scrub;
  private final Repair repair;
  private final HoldingsRoutes routes;
  private final Hints hints;
  private final HoldingsClient holdings;
  private final ReplicaClient replicas;
  private final ReplicatedFrom replicatedFrom;

  public Upkeep(
      StoreOptions options,
      StoreLog log,
      Neighbours neighbours,
      StoreMetrics metrics,
      MeterRegistry registry,
      InstantSource clock,
      Stopping stopping)
      throws IOException {
    holdings = new HoldingsClient(neighbours.credentials());
    var lost = new LostRanges();
    keeper = new Keeper(options, log, lost, metrics, clock, stopping);
    var repairMetrics = new RepairMetrics(registry);
    scrub = new Scrub(log, options.repair(), clock, repairMetrics, stopping);
    var fingerprints = new Fingerprints(log, options.repair(), stopping);
    Supplier<Instant> settled = () -> clock.instant().minus(options.repair().repairAfter());
    hints = new Hints(options.repair().slice(), settled, repairMetrics);
    routes = new HoldingsRoutes(log, fingerprints, hints, keeper::horizon, settled);
    replicas =
        new ReplicaClient(
            neighbours.nodeId(),
            log.folder().filesystem(),
            ReplicaClient.STALL,
            stopping,
            neighbours.credentials());
    replicatedFrom =
        new ReplicatedFrom(log.folder(), options.replicationFactor(), log.live().isEmpty());
    repair =
        new Repair(
            new Repairing(
                options,
                options.replicationFactor(),
                log,
                neighbours,
                fingerprints,
                hints,
                holdings,
                replicas,
                keeper::horizon,
                repairMetrics,
                replicatedFrom,
                stopping,
                clock),
            lost);
  }

  /** Since when all that this store holds has its copies. */
  public ReplicatedFrom replicatedFrom() {
    return replicatedFrom;
  }

  /** Threads to be, by their names. */
  public Map<String, Runnable> workers() {
    return Map.of("keep", keeper, "scrub", scrub, "repair", repair);
  }

  public void addRoutes(Routes to) {
    routes.addTo(to);
  }

  /** Breaks off calls of other stores and waiting for hints, so that no thread waits for them. */
  public void stopCalling() {
    hints.end();
    holdings.close();
    replicas.close();
  }
}

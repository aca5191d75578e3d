package io.cordwood.store;

import io.cordwood.common.http.Routes;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/** What looks after the segments that a store keeps, as threads that are still to be started. */
final class Upkeep {
  private final Keeper keeper;
  private final Scrub scrub;
  private final Repair repair;
  private final HoldingsRoutes routes;
  private final Hints hints;
  private final HoldingsClient holdings = new HoldingsClient();
  private final ReplicaClient replicas;

  Upkeep(
      StoreOptions options,
      StoreLog log,
      Neighbours neighbours,
      StoreMetrics metrics,
      MeterRegistry registry,
      InstantSource clock,
      Stopping stopping)
      throws IOException {
    var retention = new Retention(options, log, metrics, clock, System::nanoTime);
    var lost = new LostRanges();
    var healer = new Healer(log, metrics, lost);
    var compactor = new Compactor(options, log, metrics, stopping, healer);
    keeper = new Keeper(log, compactor, retention, healer, metrics, stopping);
    var repairMetrics = new RepairMetrics(registry);
    scrub = new Scrub(log, options.repair(), clock, repairMetrics, stopping);
    var fingerprints = new Fingerprints(log, options.repair(), stopping);
    Supplier<Instant> settled = () -> clock.instant().minus(options.repair().repairAfter());
    hints = new Hints(options.repair().slice(), settled, repairMetrics);
    routes = new HoldingsRoutes(log, fingerprints, hints, retention::horizon, settled);
    replicas =
        new ReplicaClient(
            neighbours.nodeId(), log.folder().filesystem(), ReplicaClient.STALL, stopping);
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
                retention::horizon,
                repairMetrics,
                stopping,
                clock),
            lost);
  }

  /** Threads to be, by their names. */
  Map<String, Runnable> workers() {
    return Map.of("keep", keeper, "scrub", scrub, "repair", repair);
  }

  void addRoutes(Routes to) {
    routes.addTo(to);
  }

  /** Where it is said that queries missed copies. */
  Hints hints() {
    return hints;
  }

  /** Breaks off calls of other stores and waiting for hints, so that no thread waits for them. */
  void stopCalling() {
    hints.end();
    holdings.close();
    replicas.close();
  }
}

package io.cordwood.store;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;

/** What looks after the segments that a store keeps, as threads that are still to be started. */
final class Upkeep {
  private final Keeper keeper;
  private final Scrub scrub;

  Upkeep(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      MeterRegistry registry,
      InstantSource clock,
      Stopping stopping)
      throws IOException {
    var retention = new Retention(options, log, metrics, clock, System::nanoTime);
    var healer = new Healer(log, metrics, new LostRanges());
    var compactor = new Compactor(options, log, metrics, stopping, healer);
    keeper = new Keeper(log, compactor, retention, healer, metrics, stopping);
    scrub = new Scrub(log, options.repair(), clock, new RepairMetrics(registry), stopping);
  }

  /** Threads to be, by their names. */
  Map<String, Runnable> workers() {
    return Map.of("keep", keeper, "scrub", scrub);
  }
}

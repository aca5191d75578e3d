package io.cordwood.store.node;

import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.cold.ColdUploader;
import io.cordwood.store.keep.ColdRetention;
import io.cordwood.store.keep.ColdSweep;
import io.cordwood.store.segment.StoreLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The work of a store in a bucket, on threads of its own. */
record ColdWork(
    Optional<ColdUploader> uploader, Optional<ColdRetention> retention, Optional<ColdSweep> sweep) {
  static final ColdWork NONE = new ColdWork(Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * That of a store with a bucket.
   *
   * @param bucket to look at; without it nothing is ever deleted there
   * @param deletions of what is not to be kept
   */
  static ColdWork of(
      ColdOptions options,
      Optional<ColdReader> bucket,
      StoreLog log,
      KnownPeers peers,
      Supplier<Tombstones> deletions,
      StoreMetrics metrics,
      MeterRegistry registry,
      InstantSource clock,
      StopFlag stop)
      throws IOException {
    var uploader =
        new ColdUploader(
            options, options.place().open(), log, peers, metrics, registry, clock, stop);
    if (bucket.isEmpty()) {
      return new ColdWork(Optional.of(uploader), Optional.empty(), Optional.empty());
    }
    ColdReader reader = bucket.get();
    var clocks = new ColdRetention.Clocks(clock, System::nanoTime);
    var retention =
        new ColdRetention(
            options, reader, options.place().open(), peers, metrics, registry, clocks, stop);
    var sweep =
        new ColdSweep(
            options, reader, options.place().open(), log, peers, deletions, metrics, clock, stop);
    return new ColdWork(Optional.of(uploader), Optional.of(retention), Optional.of(sweep));
  }

  /** Threads to be, by their names. */
  Map<String, Runnable> workers() {
    var workers = new TreeMap<String, Runnable>();
    uploader.ifPresent(it -> workers.put("cold", it));
    retention.ifPresent(it -> workers.put("cold-keep", it));
    sweep.ifPresent(it -> workers.put("cold-delete", it));
    return workers;
  }

  /** Breaks off what is asked of the bucket. */
  void stopCalling() {
    uploader.ifPresent(ColdUploader::close);
    retention.ifPresent(ColdRetention::close);
    sweep.ifPresent(ColdSweep::close);
  }
}

package io.cordwood.store.keep;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.segment.Batch;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** How a simulated store keeps, merges and lets go of segments: its own classes over its log. */
public final class SimKeeping {
  private final StoreLog log;
  private final Retention retention;
  private final Compactor compactor;

  public SimKeeping(
      StoreOptions options,
      StoreLog log,
      BucketCopies bucket,
      StoreMetrics metrics,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    this.log = log;
    var stop = new StopFlag();
    var damage = new DamageHandler(log, metrics, new LostRanges());
    var expiry = new TopicExpiry(options, log, metrics, damage, stop);
    retention = new Retention(options, log, metrics, expiry, Optional.of(bucket), clock, nanoTime);
    compactor = new Compactor(options, log, metrics, stop, damage);
  }

  /** Stores batches, which are in order, as one segment. */
  public void store(List<Batch> batches) throws IOException {
    try (SegmentBuilder active = log.newActive()) {
      for (Batch batch : batches) {
        active.append(batch);
      }
      log.publish(active.flush());
    }
  }

  /** Deletes what is due. */
  public void step() throws IOException {
    retention.run();
    while (retention.rewriteNext()) {
      // Goes on.
    }
  }

  /** Merges what may be merged. */
  public void compact() throws IOException {
    while (compactor.runOnce()) {
      // Goes on.
    }
  }

  /** What deletes objects by rules. */
  public static Objects objects(
      ColdOptions options,
      ColdReader reader,
      Bucket bucket,
      KnownPeers peers,
      MeterRegistry registry,
      ColdRetention.Clocks clocks) {
    var metrics = new StoreMetrics(registry);
    return new Objects(
        new ColdRetention(
            options, reader, bucket, peers, metrics, registry, clocks, new StopFlag()));
  }

  /** Deletes objects by rules. */
  public record Objects(ColdRetention retention) {
    public void step() throws IOException {
      var _ = retention.runOnce();
    }
  }
}

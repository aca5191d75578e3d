package io.cordwood.store.keep;

import io.cordwood.common.segment.BatchInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** The rule by which a simulated store deletes: the store's own classes over batches. */
public final class SimRetention {
  private final Duration retention;
  private final TrustedClock clock;
  private Instant horizon;

  /**
   * A store that starts.
   *
   * @param written when each batch that it has was written, by its own clock
   */
  public SimRetention(
      Duration retention,
      Map<BatchInfo, Instant> written,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.retention = retention;
    List<AgeEvidence> segments =
        written.entrySet().stream().map(it -> evidence(it.getKey(), it.getValue())).toList();
    this.clock =
        new TrustedClock(clock, AgeEvidence.latest(segments).orElseGet(clock::instant), nanoTime);
    this.horizon = this.clock.now().minus(retention);
  }

  private static AgeEvidence evidence(BatchInfo batch, Instant written) {
    return new AgeEvidence(batch.first().time(), written);
  }

  /** The batches that are to go now. */
  public List<BatchInfo> old(Map<BatchInfo, Instant> written) {
    horizon = clock.now().minus(retention);
    return written.entrySet().stream()
        .filter(it -> evidence(it.getKey(), it.getValue()).agreeOn(horizon))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Before which batches may be gone. */
  public Instant horizon() {
    return horizon;
  }
}

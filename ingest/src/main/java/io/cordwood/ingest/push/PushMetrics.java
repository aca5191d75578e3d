package io.cordwood.ingest.push;

import io.cordwood.ingest.IngestMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the requests of a protocol; their records and bytes are in the ledger as all others. */
public final class PushMetrics {
  private final Counter stored;
  private final Counter refused;

  /**
   * @param protocol the label
   */
  public PushMetrics(MeterRegistry registry, String protocol) {
    stored = outcome(registry, protocol, "stored");
    refused = outcome(registry, protocol, "refused");
  }

  private static Counter outcome(MeterRegistry registry, String protocol, String outcome) {
    return registry.counter(
        IngestMetrics.PREFIX + "requests_total", "protocol", protocol, "outcome", outcome);
  }

  /** Counts one. */
  public void ended(boolean isStored) {
    (isStored ? stored : refused).increment();
  }
}

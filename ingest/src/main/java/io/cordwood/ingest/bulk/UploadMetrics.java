package io.cordwood.ingest.bulk;

import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Counters of uploads as such; their records and bytes are in the ledger as all others. */
final class UploadMetrics {
  private static final String PREFIX = "cordwood_ingest_upload";

  /** Uploads that are being received. */
  final AtomicInteger open = new AtomicInteger();

  final Counter flushed;
  final Counter empty;
  final Counter failed;

  /** Times that a sender was told that its upload is not on the stores yet. */
  final Counter late;

  /** From the flush to the commit. */
  final Timer commits;

  private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);

  UploadMetrics(MeterRegistry registry) {
    registry.gauge(PREFIX + "s_open", open);
    flushed = outcome(registry, "flushed");
    empty = outcome(registry, "empty");
    failed = outcome(registry, "failed");
    late = registry.counter(PREFIX + "s_late_total");
    commits = registry.timer(PREFIX + "_commit_seconds");
    for (Reason reason : Reason.values()) {
      refused.put(reason, outcome(registry, reason.label()));
    }
  }

  private static Counter outcome(MeterRegistry registry, String outcome) {
    return registry.counter(PREFIX + "s_total", "outcome", outcome);
  }

  void refused(Reason reason) {
    Objects.requireNonNull(refused.get(reason)).increment();
  }
}

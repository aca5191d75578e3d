package io.cordwood.ingest.mode;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of durable mode. */
final class DurableMetrics {
  private static final String PREFIX = "cordwood_ingest_";

  /** Time of a write and its force, of those that went well. */
  final Timer forces;

  final Counter forceErrors;
  final DistributionSummary groupRecords;
  final DistributionSummary groupBytes;
  final Counter pausesForForce;
  final AtomicLong unforcedBytes;
  final AtomicInteger degraded;
  private final Timer acks;

  DurableMetrics(MeterRegistry registry) {
    forces = registry.timer(PREFIX + "force_seconds");
    forceErrors = registry.counter(PREFIX + "force_errors_total");
    groupRecords = registry.summary(PREFIX + "group_records");
    groupBytes = registry.summary(PREFIX + "group_bytes");
    pausesForForce = registry.counter(PREFIX + "pauses_total", "reason", "force");
    unforcedBytes = registry.gauge(PREFIX + "unforced_bytes", new AtomicLong());
    degraded = registry.gauge(PREFIX + "degraded", new AtomicInteger());
    acks = registry.timer(PREFIX + "ack_seconds");
  }

  /** A batch is acknowledged that arrived then. */
  void toAck(long arrivedNanos) {
    acks.record(System.nanoTime() - arrivedNanos, TimeUnit.NANOSECONDS);
  }
}

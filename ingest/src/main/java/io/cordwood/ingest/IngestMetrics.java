package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** What an ingest node counts: the {@link Ledger}, and the rest, which has no topic. */
final class IngestMetrics {
  static final String PREFIX = "cordwood_ingest_";

  final MeterRegistry registry;
  final Ledger ledger;
  final Counter blankLines;
  final Counter splitLines;
  final Counter restampedBatches;
  final Counter refusedConnections;
  final Counter writeErrors;
  final Counter flushErrors;
  final Counter tornBytes;
  final Counter damagedBytes;
  final Counter expiredLeases;
  final Counter failedSegments;
  final Counter committedSegments;
  final Counter cutUploads;
  final Counter pausesForDisk;
  final Counter pausesForFlusher;
  final Counter pausesForRate;
  final Counter pausesForConnectionRate;
  final Timer flushes;

  IngestMetrics(MeterRegistry registry, IngestOptions options) {
    this.registry = registry;
    ledger = new Ledger(registry, options.topic(), options.quotas().maxTopics());
    blankLines = counter("blank_lines_ignored");
    splitLines = counter("lines_split");
    restampedBatches = counter("batches_restamped");
    refusedConnections = counter("connections_refused");
    writeErrors = counter("write_errors");
    flushErrors = counter("flush_errors");
    tornBytes = counter("torn_bytes_cut");
    damagedBytes = counter("damaged_bytes");
    expiredLeases = counter("leases_expired");
    failedSegments = counter("segments_failed");
    committedSegments = counter("segments_committed");
    cutUploads = counter("uploads_cut_by_crash");
    pausesForDisk = counter("pauses", "reason", "disk");
    pausesForFlusher = counter("pauses", "reason", "flusher");
    pausesForRate = counter("pauses", "reason", "rate");
    pausesForConnectionRate = counter("pauses", "reason", "connection_rate");
    flushes = registry.timer(PREFIX + "flush_seconds");
  }

  private Counter counter(String name, String... tags) {
    return registry.counter(PREFIX + name + "_total", Tags.of(tags));
  }
}

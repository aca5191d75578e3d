package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The ledger of an ingest node. Of records and of bytes, once all connections are at rest: received
 * = stored + rejected, exactly. Bytes are those of the wire: line feeds that the node adds and
 * headers that it makes are not counted.
 */
final class IngestMetrics {
  private static final String PREFIX = "cordwood_ingest_";

  final MeterRegistry registry;
  final Counter recordsReceived;
  final Counter recordsStored;
  final Counter bytesReceived;
  final Counter bytesStored;
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
  final Counter pausesForDisk;
  final Counter pausesForFlusher;
  final Timer flushes;
  private final Map<RejectReason, Counter> recordsRejected = new EnumMap<>(RejectReason.class);
  private final Map<RejectReason, Counter> bytesRejected = new EnumMap<>(RejectReason.class);

  IngestMetrics(MeterRegistry registry) {
    this.registry = registry;
    recordsReceived = counter("records_received");
    recordsStored = counter("records_stored");
    bytesReceived = counter("bytes_received");
    bytesStored = counter("bytes_stored");
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
    pausesForDisk = counter("pauses", "reason", "disk");
    pausesForFlusher = counter("pauses", "reason", "flusher");
    flushes = registry.timer(PREFIX + "flush_seconds");
    for (RejectReason reason : RejectReason.values()) {
      recordsRejected.put(reason, counter("records_rejected", "reason", reason.label()));
      bytesRejected.put(reason, counter("bytes_rejected", "reason", reason.label()));
    }
  }

  private Counter counter(String name, String... tags) {
    return registry.counter(PREFIX + name + "_total", Tags.of(tags));
  }

  /** Counts what was received and will never be stored. */
  void rejected(RejectReason reason, int records, long bytes) {
    Objects.requireNonNull(recordsRejected.get(reason)).increment(records);
    Objects.requireNonNull(bytesRejected.get(reason)).increment((double) bytes);
  }
}

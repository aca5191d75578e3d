package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** The counters of an ingest node: the {@link Ledger}, and the rest, which has no topic. */
public final class IngestMetrics {
  public static final String PREFIX = TopicCounters.PREFIX;

  public final MeterRegistry registry;
  public final Ledger ledger;
  public final Counter blankLines;
  public final Counter splitLines;

  /** Senders of foreign events whose topic was one too many. */
  public final Counter overflowedTopics;

  /** Attributes of senders of foreign events with no room among labels nor beside texts. */
  public final Counter leftOut;

  /** Parts of lines that became records of their own. */
  public final Counter unjoinedParts;

  /** Connections whose lines end with NUL. */
  public final Counter nulEnded;

  public final Counter restampedBatches;
  public final Counter refusedConnections;
  public final Counter writeErrors;
  public final Counter flushErrors;
  public final Counter tornBytes;
  public final Counter damagedBytes;
  public final Counter expiredLeases;
  public final Counter failedSegments;
  public final Counter quarantines;
  public final Counter withheldSegments;
  public final Counter committedSegments;
  public final Counter cutUploads;
  public final Counter pausesForDisk;
  public final Counter pausesForFlusher;
  public final Counter pausesForRate;
  public final Counter pausesForConnectionRate;
  public final Timer flushes;

  public IngestMetrics(MeterRegistry registry, IngestOptions options) {
    this.registry = registry;
    ledger = new Ledger(registry, options.topic(), options.quotas().maxTopics());
    blankLines = counter("blank_lines_ignored");
    splitLines = counter("lines_split");
    overflowedTopics = counter("topics_overflowed");
    leftOut = counter("labels_left_out");
    unjoinedParts = counter("parts_unjoined");
    nulEnded = counter("nul_ended_connections");
    restampedBatches = counter("batches_restamped");
    refusedConnections = counter("connections_refused");
    writeErrors = counter("write_errors");
    flushErrors = counter("flush_errors");
    tornBytes = counter("torn_bytes_cut");
    damagedBytes = counter("damaged_bytes");
    expiredLeases = counter("leases_expired");
    failedSegments = counter("segments_failed");
    quarantines = counter("segments_quarantined");
    withheldSegments = counter("segments_withheld");
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

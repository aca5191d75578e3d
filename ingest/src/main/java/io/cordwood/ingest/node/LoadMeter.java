package io.cordwood.ingest.node;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.IngestContext;
import io.cordwood.ingest.segment.SegmentLeases;
import java.time.Duration;

/**
 * How busy the node is. A thread of its own looks once a second, and forgets what it saw with a
 * time constant of 10 seconds; any thread may ask.
 */
final class LoadMeter implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final double MEMORY_SECONDS = 10;

  private final IngestContext parts;
  private final PeriodicTask task;
  private double seenBytes;
  private long seenNanos = System.nanoTime();
  private volatile double bytesPerSecond;

  LoadMeter(IngestContext parts) {
    this.parts = parts;
    this.seenBytes = parts.metrics().ledger.bytesRead();
    var registry = parts.metrics().registry;
    registry.gauge(
        IngestMetrics.PREFIX + "backlog_bytes",
        parts.segments().claims(),
        SegmentLeases::backlogBytes);
    registry.gauge(
        IngestMetrics.PREFIX + "disk_free_bytes", parts.space(), DiskSpace::allowedBytes);
    task = PeriodicTask.start("ingest-load", PERIOD, registry, this::look);
  }

  private void look() {
    long now = System.nanoTime();
    double bytes = parts.metrics().ledger.bytesRead();
    double seconds = Math.max(1e-3, (now - seenNanos) / 1e9);
    double weight = 1 - Math.exp(-seconds / MEMORY_SECONDS);
    double before = bytesPerSecond;
    bytesPerSecond = before + weight * ((bytes - seenBytes) / seconds - before);
    seenBytes = bytes;
    seenNanos = now;
  }

  NodeLoad load() {
    return new NodeLoad(
            parts.connections().count(),
            Math.max(0, Math.round(bytesPerSecond)),
            parts.segments().claims().backlogBytes(),
            parts.space().allowedBytes(),
            0)
        .withQuarantined(parts.segments().claims().quarantined().size());
  }

  @Override
  public void close() {
    task.close();
  }
}

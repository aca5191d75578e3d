package io.cordwood.ingest.node;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.ingest.ByteRate;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.IngestContext;
import io.cordwood.ingest.segment.SegmentLeases;
import java.time.Duration;

/** How busy the node is. A thread of its own looks once a second; any thread may ask. */
final class LoadMeter implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final IngestContext parts;
  private final PeriodicTask task;
  private final ByteRate rate;
  private volatile double bytesPerSecond;

  LoadMeter(IngestContext parts) {
    this.parts = parts;
    this.rate = new ByteRate(parts.metrics().ledger.bytesRead(), System::nanoTime);
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
    bytesPerSecond = rate.look(parts.metrics().ledger.bytesRead());
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

package io.cordwood.ingest.node;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.ingest.ByteRate;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Ledger;
import io.cordwood.ingest.OpenConnections;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.SegmentLeases;
import java.time.Duration;

/** How busy the node is. A thread of its own looks once a second; any thread may ask. */
final class LoadMeter implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final OpenConnections connections;
  private final IngestDisk disk;
  private final PeriodicTask task;
  private final ByteRate rate;
  private volatile double bytesPerSecond;

  LoadMeter(OpenConnections connections, IngestDisk disk, IngestMetrics metrics) {
    this.ledger = metrics.ledger;
    this.connections = connections;
    this.disk = disk;
    this.rate = new ByteRate(ledger.bytesRead(), System::nanoTime);
    var registry = metrics.registry;
    registry.gauge(
        IngestMetrics.PREFIX + "backlog_bytes",
        disk.segments().claims(),
        SegmentLeases::backlogBytes);
    registry.gauge(IngestMetrics.PREFIX + "disk_free_bytes", disk.space(), DiskSpace::allowedBytes);
    task = PeriodicTask.start("ingest-load", PERIOD, registry, this::look);
  }

  private void look() {
    bytesPerSecond = rate.look(ledger.bytesRead());
  }

  NodeLoad load() {
    return new NodeLoad(
            connections.count(),
            Math.max(0, Math.round(bytesPerSecond)),
            disk.segments().claims().backlogBytes(),
            disk.space().allowedBytes(),
            0)
        .withQuarantined(disk.segments().claims().quarantined().size());
  }

  @Override
  public void close() {
    task.close();
  }
}

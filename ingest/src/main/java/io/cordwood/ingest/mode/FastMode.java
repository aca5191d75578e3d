package io.cordwood.ingest.mode;

import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.IngestDisk;
import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fast mode: each event loop appends to an active segment of its own, and nobody waits. */
public final class FastMode implements Durability {
  private static final Logger log = LoggerFactory.getLogger(FastMode.class);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final IngestOptions options;
  private final IngestDisk disk;
  private final IngestMetrics metrics;
  private final Map<EventLoop, FastWriter> writers = new LinkedHashMap<>();

  public FastMode(IngestOptions options, IngestDisk disk, IngestMetrics metrics) {
    this.options = options;
    this.disk = disk;
    this.metrics = metrics;
  }

  @Override
  public Mode mode() {
    return Mode.FAST;
  }

  @Override
  public LoopWriter writerFor(EventLoop loop) {
    var writer = new FastWriter(loop, options.flushing(), disk, metrics);
    writers.put(loop, writer);
    return writer;
  }

  /** None, ever: while the disk takes nothing, senders wait. */
  @Override
  public Optional<String> trouble() {
    return Optional.empty();
  }

  /** Ends it. The next start recovers what the flusher does not take in time. */
  @Override
  public void close() {
    long end = System.nanoTime() + options.limits().drain().toNanos();
    writers.forEach((loop, writer) -> handOver(loop, writer, end));
  }

  private static void handOver(EventLoop loop, FastWriter writer, long endNanos) {
    while (!loop.submit(writer::handOver).awaitUninterruptibly().getNow()) {
      if (System.nanoTime() - endNanos > 0) {
        log.error("an active segment is left to the next start");
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}

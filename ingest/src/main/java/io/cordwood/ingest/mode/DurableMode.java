package io.cordwood.ingest.mode;

import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.IngestDisk;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Durable mode: all event loops hand their batches to one committer, and answer when it forced. */
public final class DurableMode implements Durability {
  private final IngestOptions options;
  private final IngestDisk disk;
  private final IngestMetrics metrics;
  private final DurableMetrics durable;
  private final DurableFiles files;
  private final Committer committer;
  private final List<EventLoop> loops = new ArrayList<>();

  public DurableMode(IngestOptions options, IngestDisk disk, IngestMetrics metrics) {
    this.options = options;
    this.disk = disk;
    this.metrics = metrics;
    this.durable = new DurableMetrics(metrics.registry);
    this.files = new DurableFiles(options, disk, metrics.pausesForFlusher);
    this.committer = Committer.start(files, options.committing(), durable);
  }

  @Override
  public Mode mode() {
    return Mode.DURABLE;
  }

  @Override
  public LoopWriter writerFor(EventLoop loop) {
    long maxBytes = options.committing().maxUnforcedBytes() / options.listening().loops();
    var writer =
        new DurableWriter(loop, committer.signal(), maxBytes, disk.space(), metrics, durable);
    committer.serve(writer);
    loops.add(loop);
    return writer;
  }

  /** Drops a file that was prepared and holds no batch yet, soon. Any thread. */
  public void dropPrepared() {
    files.dropPrepared();
  }

  @Override
  public Optional<String> trouble() {
    return committer.trouble();
  }

  /** Why nothing is committed until the node is restarted; empty if that is not so. */
  public Optional<String> death() {
    return committer.death();
  }

  @Override
  public void close() {
    committer.close();
    loops.stream()
        .filter(loop -> !loop.isShutdown()) // They are if the port could not be listened on.
        .forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly()); // The last answers.
  }
}

package io.cordwood.ingest.mode;

import io.cordwood.ingest.segment.IngestContext;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Durable mode: all event loops hand their batches to one committer, and answer when it forced. */
public final class DurableMode implements Durability {
  private final IngestContext parts;
  private final CommitMetrics metrics;
  private final Committer committer;
  private final List<EventLoop> loops = new ArrayList<>();

  public DurableMode(IngestContext parts) {
    this.parts = parts;
    this.metrics = new CommitMetrics(parts.metrics().registry);
    this.committer = Committer.start(parts, metrics);
  }

  @Override
  public Mode mode() {
    return Mode.DURABLE;
  }

  @Override
  public LoopWriter writerFor(EventLoop loop) {
    var writer = new DurableWriter(loop, committer, parts, metrics);
    committer.serve(writer);
    loops.add(loop);
    return writer;
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

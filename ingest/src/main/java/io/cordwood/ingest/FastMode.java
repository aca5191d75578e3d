package io.cordwood.ingest;

import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Fast mode: each event loop appends to an active segment of its own, and nobody waits. */
final class FastMode implements Durability {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final IngestParts parts;
  private final Map<EventLoop, FastWriter> writers = new LinkedHashMap<>();

  FastMode(IngestParts parts) {
    this.parts = parts;
  }

  @Override
  public Mode mode() {
    return Mode.FAST;
  }

  @Override
  public LoopWriter writerFor(EventLoop loop) {
    var writer = new FastWriter(loop, parts);
    writers.put(loop, writer);
    return writer;
  }

  /** None, ever: while the disk takes nothing, senders wait. */
  @Override
  public Optional<String> trouble() {
    return Optional.empty();
  }

  @Override
  public void close() {
    writers.forEach(FastMode::handOver);
  }

  private static void handOver(EventLoop loop, FastWriter writer) {
    while (!loop.submit(writer::handOver).awaitUninterruptibly().getNow()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}

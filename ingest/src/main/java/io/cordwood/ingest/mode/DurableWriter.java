package io.cordwood.ingest.mode;

import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.segment.DiskSpace;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what the connections of one event loop receive to the committer, and acknowledges what that
 * has forced. Owned by the loop, save what is said to be for the committer.
 *
 * <p>Every batch is copied and kept until it was forced, since a file whose force failed cannot be
 * trusted with it. When a loop keeps as much as it may, its connections are not read until the next
 * force has ended.
 */
final class DurableWriter extends LoopWriter {
  private final EventLoop loop;
  private final CommitSignal commits;
  private final DiskSpace space;
  private final IngestMetrics metrics;
  private final DurableMetrics durable;
  private final long maxBytes;

  private final Queue<UnforcedBatch> arrived = new ConcurrentLinkedQueue<>();
  private final Queue<UnforcedBatch> unforced = new ArrayDeque<>();
  private long unforcedBytes;

  DurableWriter(
      EventLoop loop,
      CommitSignal commits,
      long maxBytes,
      DiskSpace space,
      IngestMetrics metrics,
      DurableMetrics durable) {
    super(loop);
    this.loop = loop;
    this.commits = commits;
    this.space = space;
    this.metrics = metrics;
    this.durable = durable;
    this.maxBytes = maxBytes;
  }

  /** When it returns true, the batch is kept in memory until it is forced. */
  @Override
  boolean take(StampedBatch batch, BatchOutcomes outcomes) {
    if (unforcedBytes > 0 && unforcedBytes + batch.fileBytes() > maxBytes) {
      commits.hurry();
      return gate().shut(durable.pausesForForce);
    }
    if (!space.take(batch.fileBytes())) {
      return gate().shut(metrics.pausesForDisk, DiskSpace.RETRY_MILLIS);
    }
    var kept = UnforcedBatch.copyOf(batch, outcomes);
    keep(kept.fileBytes());
    unforced.add(kept);
    arrived.add(kept);
    commits.wake();
    return true;
  }

  private void keep(long bytes) {
    unforcedBytes += bytes;
    durable.unforcedBytes.addAndGet(bytes);
  }

  /** For the committer: the next batch that it has not seen. */
  @Nullable UnforcedBatch poll() {
    return arrived.poll();
  }

  /** For the committer: when the oldest batch that it has not seen has waited for so long. */
  long dueInNanos(long nowNanos, long delayNanos) {
    UnforcedBatch oldest = arrived.peek();
    return oldest == null ? Long.MAX_VALUE : oldest.arrivedNanos() + delayNanos - nowNanos;
  }

  /** For the committer: the oldest batches were forced. */
  void forced(int count) {
    loop.execute(() -> release(count, this::safe));
  }

  private void safe(UnforcedBatch batch) {
    durable.toAck(batch.arrivedNanos());
    batch.safe();
  }

  /** For the committer: the oldest batches never will be forced. */
  void lost(int count) {
    loop.execute(() -> release(count, UnforcedBatch::lost));
  }

  private void release(int count, Consumer<UnforcedBatch> outcome) {
    Set<BatchOutcomes> touched = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      UnforcedBatch batch = Objects.requireNonNull(unforced.remove());
      outcome.accept(batch);
      touched.add(batch.outcomes());
      keep(-batch.fileBytes());
      batch.bytes().release();
    }
    touched.forEach(BatchOutcomes::progressed);
    if (gate().isShut()) {
      gate().retry();
    }
  }

  /** For the committer: ends all connections. */
  void refuseAll(RefusedException why) {
    loop.execute(() -> gate().refuse(why));
  }

  @Override
  long segment() {
    return 0;
  }

  @Override
  void flushSoon(long segment) {
    if (segment >= 0) {
      commits.flushSoon();
    }
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.run.Threads;
import io.cordwood.ingest.IngestMetrics;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that makes active segments durable, so that no event loop has to.
 *
 * <p>A segment whose flush failed is copied, as by {@link Flushes}, again and again until that
 * succeeds, and counts as unforced until then.
 */
public final class Flusher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Flusher.class);
  private static final long RETRY_MILLIS = 500;

  private final IngestMetrics metrics;
  private final int maxUnforced;
  private final AtomicInteger unforced = new AtomicInteger();
  private final LinkedBlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
  private final Flushes flushes;
  private final Thread thread;
  private long retryAtNanos = System.nanoTime();
  private volatile boolean closed;
  private volatile @Nullable String death;

  /**
   * @param maxUnforced most segments that wait here
   */
  public Flusher(IngestLog segments, IngestMetrics metrics, int maxUnforced) {
    this.flushes = new Flushes(segments, metrics);
    this.metrics = metrics;
    this.maxUnforced = maxUnforced;
    this.thread = Thread.ofPlatform().daemon().name("ingest-flusher").unstarted(this::run);
    metrics.registry.gauge("cordwood_ingest_segments_unforced", unforced);
    thread.start();
  }

  /** Takes over a segment; false if too many wait, and the segment stays the caller's. */
  public boolean offer(ActiveSegment segment) {
    if (unforced.incrementAndGet() > maxUnforced) {
      unforced.decrementAndGet();
      return false;
    }
    return jobs.add(() -> flush(segment));
  }

  /** Why nothing is flushed until the node is restarted; empty if that is not so. */
  public Optional<String> death() {
    return Optional.ofNullable(death);
  }

  private void run() {
    try {
      flushUntilClosed();
    } catch (RuntimeException | Error e) {
      death = "the flusher has failed, and needs a restart: " + e;
      log.error("the flusher ended; no segment gets to the stores until the node is restarted", e);
    }
  }

  private void flushUntilClosed() {
    while (!closed || !jobs.isEmpty()) {
      try {
        Runnable next = jobs.poll(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
      } catch (InterruptedException e) {
        log.error("the flusher was interrupted, which nobody should do; it goes on", e);
      }
      retryFailed();
    }
    retryFailed();
  }

  private void flush(ActiveSegment segment) {
    long start = System.nanoTime();
    if (flushes.flush(segment)) {
      unforced.decrementAndGet();
      metrics.flushes.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }
  }

  private void retryFailed() {
    long now = System.nanoTime();
    if (flushes.haveFailed() && (closed || now - retryAtNanos >= 0)) {
      unforced.addAndGet(-flushes.copyFailed());
      retryAtNanos = now + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    }
  }

  /** Flushes all that was taken over, and ends. */
  @Override
  public void close() {
    closed = true;
    jobs.add(() -> {}); // Wakes the thread.
    Threads.join(thread);
  }
}

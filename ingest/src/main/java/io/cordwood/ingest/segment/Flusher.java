package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.run.Threads;
import io.cordwood.ingest.IngestMetrics;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
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
 * <p>A segment whose flush failed is never taken for flushed and never forced again: its batches
 * are copied to a new segment, again and again until that succeeds, and it counts as unforced until
 * then. It keeps its file, for the next start to recover, if the node is closed before.
 */
public final class Flusher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Flusher.class);
  private static final long RETRY_MILLIS = 500;

  private final IngestLog segments;
  private final IngestMetrics metrics;
  private final int maxUnforced;
  private final AtomicInteger unforced = new AtomicInteger();
  private final LinkedBlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
  private final List<ActiveSegment> failed = new ArrayList<>();
  private final Thread thread;
  private long retryAtNanos = System.nanoTime();
  private volatile boolean closed;
  private volatile @Nullable String death;

  /**
   * @param maxUnforced most segments that wait here
   */
  public Flusher(IngestLog segments, IngestMetrics metrics, int maxUnforced) {
    this.segments = segments;
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
    try {
      segment.flush().ifPresent(segments::add);
      unforced.decrementAndGet();
      metrics.flushes.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    } catch (IOException | RuntimeException e) {
      metrics.flushErrors.increment();
      log.error("{}: cannot be made durable; its batches are copied anew", segment.id(), e);
      failed.add(segment);
    }
  }

  private void retryFailed() {
    long now = System.nanoTime();
    if (!failed.isEmpty() && (closed || now - retryAtNanos >= 0)) {
      failed.removeIf(this::copied);
      retryAtNanos = now + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    }
  }

  private boolean copied(ActiveSegment segment) {
    SegmentFolder folder = segments.folder();
    try {
      for (IngestSegmentState state : List.of(segment.state(), IngestSegmentState.FLUSHED)) {
        try (ReadableFile file = open(folder, segment, state)) {
          if (file != null && segment.wholeBytes() > 0) {
            SegmentCopy.of(file, folder, segments.nextId()).ifPresent(segments::add);
          }
        }
        folder.delete(segment.id(), state);
      }
      segments.forget(segment);
      unforced.decrementAndGet();
      return true;
    } catch (IOException | RuntimeException e) {
      metrics.flushErrors.increment();
      return false;
    }
  }

  /** The file, if the segment got so far as to have this state. */
  private static @Nullable ReadableFile open(
      SegmentFolder folder, ActiveSegment segment, IngestSegmentState state) throws IOException {
    try {
      return folder.open(segment.id(), state);
    } catch (NoSuchFileException e) {
      return null;
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

package io.cordwood.ingest.mode;

import io.cordwood.ingest.segment.ActiveSegment;
import io.cordwood.ingest.segment.IngestLog;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next segment of durable mode, made while the one before is filled, with a name that is forced
 * already: a folder is forced through the file system's journal, where it waits for whatever else
 * is being noted, and no acknowledgement should wait for that.
 *
 * <p>At most one stands ready. {@link #prepare} is for one thread, and {@link #take} for all; they
 * do not block. A thread of its own does the work.
 */
final class PreparedSegments implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PreparedSegments.class);
  private static final long CLOSE_SECONDS = 10;

  private final IngestLog segments;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicReference<@Nullable ActiveSegment> ready = new AtomicReference<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("ingest-preparer").factory());

  PreparedSegments(IngestLog segments) {
    this.segments = segments;
  }

  /** Asks for the next segment, unless one is ready or being made. */
  void prepare() {
    if (asked.compareAndSet(false, true)) {
      thread.execute(this::make);
    }
  }

  /** The segment that was asked for, the caller's own now; null if there is none yet. */
  @Nullable ActiveSegment take() {
    ActiveSegment taken = ready.getAndSet(null);
    if (taken != null) {
      asked.set(false);
    }
    return taken;
  }

  /**
   * Has the one that is ready dropped, soon: its file was used before, and may hold what no file is
   * to hold. Any thread; does not block.
   */
  void drop() {
    try {
      thread.execute(this::dropReady);
    } catch (RejectedExecutionException e) {
      // It is closed, which drops it as well.
    }
  }

  private void dropReady() {
    ActiveSegment unused = take();
    if (unused != null) {
      segments.drop(unused);
    }
  }

  private void make() {
    try {
      ready.set(segments.createDurably());
    } catch (IOException | RuntimeException | Error e) {
      // Whoever needs a segment makes it without, and says so if that fails too.
      log.debug("{}: cannot prepare a segment", segments.path(), e);
      asked.set(false);
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        log.warn("{}: the disk is slow; a prepared file is left", segments.path());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    dropReady();
  }
}

package io.cordwood.ingest.bulk;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestOptions.Bulk;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.segment.IngestContext;
import io.cordwood.ingest.segment.SegmentLeases.Whereabouts;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bulk mode, whichever way an upload comes: receives it as a segment of its own, and tells when
 * that is on the stores, which its commit says. At most as many at once as the reserved memory
 * allows; others wait for their turn, with their bytes still at the sender.
 *
 * <p>For many threads, which block here.
 */
public final class Uploads {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final IngestContext parts;
  private final Bulk bulk;
  private final UploadMetrics metrics;
  private final Semaphore turns;
  private final Queue<byte[]> windows = new ConcurrentLinkedQueue<>();

  public Uploads(IngestContext parts) {
    this.parts = parts;
    this.bulk = parts.options().bulk();
    this.metrics = new UploadMetrics(parts.metrics().registry);
    this.turns = new Semaphore(0, true);
  }

  /** Receives from now on; uploads that came before wait until then. To be called once. */
  public void startReceiving() {
    turns.release(bulk.maxUploads());
  }

  Bulk options() {
    return bulk;
  }

  /**
   * Receives an upload; when this returns, it is durable on this node, and can be claimed.
   *
   * @param topic of lines whose preamble names none
   * @return empty if there was no record in it
   * @throws UploadRefusedException if nothing of it is kept; so does any other exception say
   */
  Optional<Uploaded> receive(UploadSource source, Topic topic) throws UploadRefusedException {
    try {
      awaitTurn(source);
      Optional<Uploaded> uploaded = receiveInTurn(source, topic);
      (uploaded.isPresent() ? metrics.flushed : metrics.empty).increment();
      return uploaded;
    } catch (UploadRefusedException e) {
      metrics.refused(e.reason());
      throw e;
    } catch (RuntimeException e) {
      metrics.failed.increment();
      throw e;
    }
  }

  /**
   * Refuses an upload before its first byte.
   *
   * @param bytes it will have, less if that is not known
   */
  void checkLength(long bytes) throws UploadRefusedException {
    if (bytes > bulk.maxBytes()) {
      metrics.refused(Reason.TOO_LARGE);
      throw new UploadRefusedException(
          Reason.TOO_LARGE,
          "expected an upload of at most %d bytes, found one of %d"
              .formatted(bulk.maxBytes(), bytes));
    }
  }

  private void awaitTurn(UploadSource source) throws UploadRefusedException {
    long end = System.nanoTime() + bulk.longestWait().toNanos();
    try {
      while (!turns.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
        if (System.nanoTime() - end > 0 || source.closing().getAsBoolean()) {
          throw new UploadRefusedException(
              Reason.BUSY,
              "expected at most " + bulk.maxUploads() + " uploads at once, found more; try later");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UploadRefusedException(Reason.CLOSING, "interrupted");
    }
  }

  private Optional<Uploaded> receiveInTurn(UploadSource source, Topic topic)
      throws UploadRefusedException {
    byte[] free = windows.poll();
    byte[] array = free != null ? free : new byte[UploadBuffer.BYTES];
    metrics.open.incrementAndGet();
    try {
      return Upload.receive(parts, new UploadBuffer(source, bulk, array), topic);
    } finally {
      metrics.open.decrementAndGet();
      windows.add(array);
      turns.release();
    }
  }

  /**
   * Waits until the stores have a segment.
   *
   * @param gone whether nobody waits for the answer any more
   */
  Whereabouts await(Ulid segment, Duration longest, BooleanSupplier gone) {
    long start = System.nanoTime();
    Whereabouts found = parts.segments().claims().awaitCommit(segment, longest, gone);
    switch (found) {
      case COMMITTED -> metrics.commits.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      case HERE -> metrics.late.increment();
      case UNKNOWN -> {}
    }
    return found;
  }
}

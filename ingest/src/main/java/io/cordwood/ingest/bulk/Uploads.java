package io.cordwood.ingest.bulk;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.IngestOptions.Bulk;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.SegmentLeases.Whereabouts;
import java.time.Duration;
import java.util.Optional;
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
  private final Intake intake;
  private final IngestDisk disk;
  private final Bulk bulk;
  private final UploadMetrics metrics;
  private final UploadTurns turns;

  public Uploads(Intake intake, IngestDisk disk) {
    this.intake = intake;
    this.disk = disk;
    this.bulk = intake.options().bulk();
    this.metrics = new UploadMetrics(intake.metrics().registry);
    this.turns = new UploadTurns(bulk);
  }

  /** Receives from now on; uploads that came before wait until then. To be called once. */
  public void startReceiving() {
    turns.open();
  }

  Bulk options() {
    return bulk;
  }

  /**
   * Receives an upload; when this returns, it is durable on this node, and can be claimed.
   *
   * @param origin of lines: the topic unless a preamble names one, and labels besides those of a
   *     preamble
   * @return empty if there was no record in it
   * @throws UploadRefusedException if nothing of it is kept; so does any other exception say
   */
  Optional<Uploaded> receive(UploadSource source, Origin origin) throws UploadRefusedException {
    try {
      checkTaking();
      Optional<Uploaded> uploaded = receiveInTurn(source, origin);
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

  /** The refusal of an upload whose parameters are not as they must be. */
  UploadRefusedException malformed(IllegalArgumentException why) {
    metrics.refused(Reason.MALFORMED);
    return new UploadRefusedException(Reason.MALFORMED, String.valueOf(why.getMessage()));
  }

  private void checkTaking() throws UploadRefusedException {
    Optional<String> refusal = intake.connections().refusal();
    if (refusal.isPresent()) {
      throw new UploadRefusedException(Reason.BUSY, refusal.get());
    }
  }

  private Optional<Uploaded> receiveInTurn(UploadSource source, Origin origin)
      throws UploadRefusedException {
    try (var window = new UploadBuffer(source, bulk, turns)) {
      metrics.open.incrementAndGet();
      try {
        return Upload.receive(intake, disk, window, origin);
      } finally {
        metrics.open.decrementAndGet();
      }
    }
  }

  /**
   * Waits until the stores have a segment.
   *
   * @param gone whether nobody waits for the answer any more
   */
  Whereabouts await(Ulid segment, Duration longest, BooleanSupplier gone) {
    long start = System.nanoTime();
    Whereabouts found = disk.segments().claims().awaitCommit(segment, longest, gone);
    switch (found) {
      case COMMITTED -> metrics.commits.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      case HERE -> metrics.late.increment();
      case UNKNOWN -> {}
    }
    return found;
  }
}

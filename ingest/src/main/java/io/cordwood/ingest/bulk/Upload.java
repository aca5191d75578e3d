package io.cordwood.ingest.bulk;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.wire.BadPreambleException;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Opening;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.Ledger;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.UploadingSegment;
import io.cordwood.ingest.sender.ForeignStart;
import io.cordwood.ingest.sender.LineEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upload: lines, after a preamble or not, or batches; its first bytes decide. Received, written
 * and flushed as one segment, of which nothing stays if anything goes wrong.
 *
 * <p>Blocks its thread; holds one {@link UploadBuffer} in memory.
 */
final class Upload {
  private static final Logger log = LoggerFactory.getLogger(Upload.class);
  private static final RateLimitedLog failures = new RateLimitedLog(log);

  private final Intake intake;
  private final IngestDisk disk;
  private final UploadBuffer window;
  private final UploadingSegment segment;
  private final UploadTarget target;
  private long preambleBytes;

  private Upload(Intake intake, IngestDisk disk, UploadBuffer window, UploadingSegment segment) {
    this.intake = intake;
    this.disk = disk;
    this.window = window;
    this.segment = segment;
    this.target = new UploadTarget(segment, disk.space(), intake.metrics(), window.rights());
  }

  /**
   * Receives all of it; when this returns, it is durable on this node, and can be claimed.
   *
   * @param origin of lines: the topic unless a preamble names one, and labels besides those of a
   *     preamble
   * @return empty if there was no record in it
   * @throws UploadRefusedException if nothing of it is kept; so does any other exception say
   */
  static Optional<Uploaded> receive(
      Intake intake, IngestDisk disk, UploadBuffer window, Origin origin)
      throws UploadRefusedException {
    try {
      return new Upload(intake, disk, window, disk.segments().createUpload()).receive(origin);
    } catch (IOException e) {
      failures.warn("cannot keep an upload in", disk.segments().path(), e);
      throw new UploadRefusedException(Reason.DISK_ERROR, "the disk fails: " + e.getMessage());
    }
  }

  private Optional<Uploaded> receive(Origin origin) throws IOException, UploadRefusedException {
    Optional<Uploaded> kept = Optional.empty();
    boolean good = false;
    try {
      boolean stamped = copy(origin) instanceof UploadedBatches;
      if (target.records() > 0) {
        disk.segments().add(segment.flush());
        kept =
            Optional.of(new Uploaded(segment.id(), target.records(), window.received(), stamped));
      }
      good = true;
      return kept;
    } catch (CorruptException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    } finally {
      if (kept.isEmpty()) {
        discard();
      }
      count(good);
    }
  }

  private void discard() {
    try {
      segment.discard();
    } catch (IOException e) {
      // It was not acknowledged, and is deleted at the next start.
      log.warn("{}: an upload that is not kept cannot be deleted", segment.id(), e);
    }
  }

  private UploadReader copy(Origin origin) throws IOException, UploadRefusedException {
    window.fill();
    UploadReader reader = chooseReader(origin);
    reader.take(window);
    while (!window.ended()) {
      window.fill();
      reader.take(window);
    }
    return reader;
  }

  private UploadReader chooseReader(Origin origin) throws UploadRefusedException {
    if (hasBatches()) {
      return batches(origin.labels(), false);
    }
    Optional<Preamble> preamble = takePreamble();
    return preamble.filter(Preamble::leavesForm).isPresent() && hasBatches()
        ? batches(origin.labels(), preamble.get().keepsTimes())
        : lines(preamble, origin);
  }

  private UploadedBatches batches(Labels ofLines, boolean keepsTimes)
      throws UploadRefusedException {
    if (!ofLines.isEmpty()) {
      throw new UploadRefusedException(
          Reason.MALFORMED,
          "parameters label.NAME: expected lines, found batches, which have their own labels");
    }
    return new UploadedBatches(target, intake, keepsTimes);
  }

  private UploadedLines lines(Optional<Preamble> preamble, Origin origin)
      throws UploadRefusedException {
    Labels labels = all(origin.labels(), preamble.map(Preamble::labels).orElse(Labels.NONE));
    target.check(labels);
    if (preamble.isPresent()) {
      refuseForeign();
    }
    boolean nulEnded = preamble.isEmpty() && LineEnd.of(start(), true) == LineEnd.NUL;
    if (nulEnded) {
      intake.metrics().nulEnded.increment();
    }
    return new UploadedLines(
        new Origin(preamble.flatMap(Preamble::topic).orElse(origin.topic()), labels),
        target,
        intake.clock(),
        nulEnded);
  }

  /** As the window does with what begins an upload. */
  private void refuseForeign() throws UploadRefusedException {
    try {
      var _ = ForeignStart.isText(start(), true);
    } catch (RefusedException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private static Labels all(Labels some, Labels others) throws UploadRefusedException {
    try {
      return some.and(others);
    } catch (IllegalArgumentException e) {
      throw new UploadRefusedException(
          Reason.MALFORMED, "parameters label.NAME and preamble: " + e.getMessage());
    }
  }

  private byte[] start() {
    ByteBuffer unread = window.unread();
    byte[] start = new byte[Math.min(unread.remaining(), ForeignStart.MAX_BYTES)];
    unread.get(unread.position(), start);
    return start;
  }

  private boolean hasBatches() {
    ByteBuffer unread = window.unread();
    return unread.remaining() >= Integer.BYTES
        && unread.getInt(unread.position()) == BatchHeader.MAGIC;
  }

  /** Lets go of a preamble, if there is one. */
  private Optional<Preamble> takePreamble() throws UploadRefusedException {
    ByteBuffer unread = window.unread();
    byte[] start = new byte[Math.min(unread.remaining(), Preamble.MAX_BYTES)];
    unread.get(unread.position(), start);
    try {
      if (!(Opening.look(start, window.ended()) instanceof Opening.Begun begun)) {
        return Optional.empty();
      }
      preambleBytes = begun.bytes();
      unread.position(unread.position() + begun.bytes());
      return Optional.of(begun.preamble());
    } catch (BadPreambleException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  /** Enters the upload in the ledger, once its end is known. */
  private void count(boolean good) {
    Ledger ledger = intake.metrics().ledger;
    ledger.read(window.received());
    if (good) {
      target.enter();
      ledger.withoutTopic().turnedDown(RejectReason.PREAMBLE, 0, preambleBytes);
    } else {
      ledger.withoutTopic().turnedDown(RejectReason.UPLOAD, target.records(), window.received());
    }
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a folder good that a process left in any state: every intact batch ends up in a flushed
 * segment, and nothing is deleted that could be of use to a person.
 *
 * <pre>
 *   found                              done
 *   flushed, header good               served as it is
 *   active or pending                  looked through, forced, becomes flushed, and:
 *     torn tail (active)               cut off
 *     bad tail (pending), bad middle   copied to aside/; a tail is cut, a middle stays in the file,
 *                                      since readers step over it
 *     nothing in it                    deleted
 *   reused                             cut after the first batches that are intact, becomes
 *                                      flushed; deleted if its header is another segment's
 *     damaged before its end           all intact batches copied, those of the segment before too,
 *                                      which queries drop as copies; file moved to aside/
 *   quarantined, header good           stays so, for queries
 *   spare                              deleted
 *   uploading                          deleted: nobody was told that it is safe, and whoever sent it
 *                                      sends all of it again
 *   bad header, or name taken          intact batches copied to a new segment, file moved to aside/
 *   2 GiB or more                      moved to aside/, not looked through
 *   bad header, no batch               moved to aside/; an active one below 32 bytes is deleted
 *   anything else                      left alone, and named in the log
 * </pre>
 *
 * Runs before anything else has the folder; blocks.
 */
final class IngestRecovery {
  private static final Logger log = LoggerFactory.getLogger(IngestRecovery.class);

  static final String ASIDE = "aside";
  private static final Set<String> OWN = Set.of(ASIDE, "LOCK");
  private static final int COPY_BYTES = 256 << 10;

  /**
   * A size that no ingest segment reaches; scanning a larger file would keep a node from starting.
   */
  private static final long MAX_SEGMENT_BYTES = Integer.MAX_VALUE;

  private final SegmentFolder folder;
  private final IngestMetrics metrics;
  private final Supplier<Ulid> ids;
  private final List<FlushedSegment> recovered = new ArrayList<>();
  private final List<QuarantinedSegment> quarantined = new ArrayList<>();
  private final Set<Ulid> taken = new HashSet<>();

  IngestRecovery(SegmentFolder folder, IngestMetrics metrics, Supplier<Ulid> ids) {
    this.folder = folder;
    this.metrics = metrics;
    this.ids = ids;
  }

  /** The segments that are good now. */
  record Recovered(List<FlushedSegment> flushed, List<QuarantinedSegment> quarantined) {}

  /** Does it; when this returns, all that is returned is durable. */
  Recovered run() throws IOException {
    List<IngestSegmentState.Name> names = new ArrayList<>();
    List<Path> foreign = new ArrayList<>();
    for (Path file : folder.files().list(folder.path())) {
      Optional<IngestSegmentState.Name> name = IngestSegmentState.Name.of(file);
      if (name.isPresent() && folder.files().size(file).isPresent()) {
        names.add(name.get());
      } else {
        foreign.add(file.getFileName());
      }
    }
    foreign.removeIf(file -> OWN.contains(file.toString()));
    if (!foreign.isEmpty()) {
      log.warn("{}: not of this node, left alone: {}", folder.path(), foreign);
    }
    // Flushed ones first: their names are the ones that others could take from them.
    names.sort(Comparator.comparing(name -> name.state() != IngestSegmentState.FLUSHED));
    for (IngestSegmentState.Name name : names) {
      recover(name);
    }
    folder.force();
    return new Recovered(recovered, quarantined);
  }

  private void recover(IngestSegmentState.Name name) throws IOException {
    long bytes = folder.files().size(folder.file(name.id(), name.state())).orElse(0);
    if (bytes > MAX_SEGMENT_BYTES) {
      Path aside = aside(name.fileName());
      folder.files().rename(folder.file(name.id(), name.state()), aside);
      log.warn(
          "{}: expected a segment of at most {} bytes, found {}: set aside as {}, not looked"
              + " through",
          name.fileName(),
          MAX_SEGMENT_BYTES,
          bytes,
          aside);
      return;
    }
    switch (name.state()) {
      case SPARE -> folder.delete(name.id(), name.state());
      case UPLOADING -> dropUpload(name);
      case REUSED -> recoverReused(name);
      case ACTIVE, FLUSHED, PENDING, QUARANTINED -> recoverOwn(name);
    }
  }

  private void dropUpload(IngestSegmentState.Name name) throws IOException {
    log.warn("{}: an upload that did not end, deleted; it was not acknowledged", name.fileName());
    metrics.cutUploads.increment();
    folder.delete(name.id(), name.state());
  }

  private void recoverReused(IngestSegmentState.Name name) throws IOException {
    SegmentScan scan;
    boolean whole;
    try (ReadableFile file = folder.open(name.id(), name.state())) {
      scan = SegmentScan.ofReused(file, name.id());
      whole = scan.goodHeader() && (scan.batches() == 0 || !taken.contains(name.id()));
      if (!whole) {
        copyBatches(name, file, scan);
      }
    }
    if (whole) {
      flush(name, scan);
    } else {
      discard(name, scan);
    }
  }

  private void recoverOwn(IngestSegmentState.Name name) throws IOException {
    SegmentScan scan;
    try (ReadableFile file = folder.open(name.id(), name.state())) {
      if (SegmentScan.hasHeader(file) && isServedAsItIs(name, file.size())) {
        return;
      }
      scan = SegmentScan.of(file);
      if (!scan.goodHeader() || taken.contains(name.id())) {
        copyBatches(name, file, scan);
      } else {
        keepDamage(name, file, scan);
      }
    }
    if (!scan.goodHeader() || taken.contains(name.id())) {
      discard(name, scan);
    } else {
      flush(name, scan);
    }
  }

  private boolean isServedAsItIs(IngestSegmentState.Name name, long bytes) {
    if (name.state() == IngestSegmentState.FLUSHED) {
      serve(name.id(), bytes);
      return true;
    } else if (name.state() == IngestSegmentState.QUARANTINED && taken.add(name.id())) {
      quarantined.add(new QuarantinedSegment(name.id(), bytes));
      log.warn("{}: still quarantined, since no store could store it", name.fileName());
      return true;
    }
    return false;
  }

  private void serve(Ulid id, long bytes) {
    taken.add(id);
    recovered.add(new FlushedSegment(id, bytes, id));
  }

  private void copyBatches(IngestSegmentState.Name name, ReadableFile file, SegmentScan scan)
      throws IOException {
    if (scan.batches() > 0) {
      SegmentCopy.of(file, folder, ids.get()).ifPresent(recovered::add);
      log.warn(
          "{}: expected a segment that is intact and has a name of its own; its {} intact batches"
              + " were copied",
          name.fileName(),
          scan.batches());
    }
  }

  private void discard(IngestSegmentState.Name name, SegmentScan scan) throws IOException {
    if (scan.bytes() < IngestSegmentHeader.BYTES && name.state() == IngestSegmentState.ACTIVE) {
      metrics.tornBytes.increment((double) scan.bytes());
      folder.delete(name.id(), name.state());
      return;
    }
    metrics.damagedBytes.increment((double) scan.tailBytes());
    Path aside = aside(name.fileName());
    folder.files().rename(folder.file(name.id(), name.state()), aside);
    log.warn("{}: damaged, set aside as {}", name.fileName(), aside);
  }

  private void keepDamage(IngestSegmentState.Name name, ReadableFile file, SegmentScan scan)
      throws IOException {
    for (var hole : scan.holes()) {
      keep(name, file, hole.position(), hole.length());
      log.warn("{}: stepped over damage: {}", name.fileName(), hole.reason().getMessage());
    }
    if (scan.tailBytes() > 0 && name.state() != IngestSegmentState.ACTIVE) {
      keep(name, file, scan.intactEnd(), scan.tailBytes());
    }
  }

  private void keep(IngestSegmentState.Name name, ReadableFile file, long position, long length)
      throws IOException {
    metrics.damagedBytes.increment((double) length);
    Path copy = aside(name.id() + "-" + position + ".damaged");
    folder.files().delete(copy);
    try (WritableFile target = folder.files().create(copy)) {
      var buffer = ByteBuffer.allocate(COPY_BYTES);
      for (long at = position; at < position + length; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(COPY_BYTES, position + length - at));
        file.read(buffer, at);
        buffer.flip();
        while (buffer.hasRemaining()) {
          target.write(buffer);
        }
      }
    }
  }

  private Path aside(String name) throws IOException {
    Path aside = folder.path().resolve(ASIDE);
    folder.files().createFolders(aside);
    return aside.resolve(name);
  }

  private void flush(IngestSegmentState.Name name, SegmentScan scan) throws IOException {
    if (scan.tailBytes() > 0 && name.state() != IngestSegmentState.REUSED) {
      metrics.tornBytes.increment((double) scan.tailBytes());
      log.warn(
          "{}: torn, cut from {} to {} bytes", name.fileName(), scan.bytes(), scan.intactEnd());
    }
    if (scan.batches() == 0) {
      folder.delete(name.id(), name.state());
      return;
    }
    // Cuts and forces; what another process only wrote is forced by this too.
    folder.files().truncate(folder.file(name.id(), name.state()), scan.intactEnd());
    if (name.state() != IngestSegmentState.FLUSHED) {
      folder.move(name.id(), name.state(), IngestSegmentState.FLUSHED);
    }
    serve(name.id(), scan.intactEnd());
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of committed segments that wait a moment to be overwritten by new ones. The OS holds such a
 * file's pages already; a new file's it has to find and clear, which at hundreds of megabytes a
 * second is most of what ingest costs, and more on a virtual machine that gets them from its host.
 *
 * <p>After what was appended, a reused file shows batches of the segment before. Those are in a
 * store, and whoever reads one of them drops it for its ULIDs. For all threads; {@link #take} does
 * not block.
 */
final class RecycledFiles {
  private static final Logger log = LoggerFactory.getLogger(RecycledFiles.class);

  /** The most bytes of all recycled files: a burst of that size needs no new pages. */
  static final long MAX_ALL_BYTES = 1L << 30;

  /** A smaller file saves too little. */
  static final long MIN_BYTES = 4 << 20;

  /** A larger one, such as an upload's, would hold more of the disk than a new segment needs. */
  static final long MAX_BYTES = 128 << 20;

  /** On a disk with less room than this, nothing is kept. */
  static final long PLENTY_BYTES = 4 * MAX_ALL_BYTES;

  static final Duration KEPT = Duration.ofSeconds(15);

  private final SegmentNames names;
  private final Duration kept;
  private final ConcurrentLinkedDeque<Spare> spares = new ConcurrentLinkedDeque<>();
  private final AtomicLong allBytes = new AtomicLong();

  private record Spare(Ulid id, long bytes, long sinceNanos) {}

  RecycledFiles(SegmentNames names, Duration kept) {
    this.names = names;
    this.kept = kept;
  }

  /** Makes a pending segment's file a spare one; false if it is of no use and has to go. */
  boolean keep(Ulid id, long bytes) throws IOException {
    if (bytes < MIN_BYTES
        || bytes > MAX_BYTES
        || allBytes.get() + bytes > MAX_ALL_BYTES
        || names.usableBytes() < PLENTY_BYTES) {
      return false;
    }
    names.move(id, IngestSegmentState.PENDING, IngestSegmentState.SPARE);
    allBytes.addAndGet(bytes);
    spares.add(new Spare(id, bytes, System.nanoTime()));
    return true;
  }

  /** The one that was kept last, which is the most likely to be in memory still. */
  Optional<Ulid> take() {
    Spare last = spares.pollLast();
    if (last == null) {
      return Optional.empty();
    }
    allBytes.addAndGet(-last.bytes());
    return Optional.of(last.id());
  }

  /**
   * Deletes those that nobody took for so long; all if the disk is short of room by now.
   *
   * @param usableBytes of the disk
   */
  void dropOld(long usableBytes) {
    long end = System.nanoTime() - kept.toNanos();
    for (Spare spare : spares) {
      boolean old = spare.sinceNanos() - end < 0;
      if ((old || usableBytes < PLENTY_BYTES) && spares.remove(spare)) {
        allBytes.addAndGet(-spare.bytes());
        drop(spare);
      }
    }
  }

  /** Deletes all. */
  void dropAll() {
    for (Spare spare : spares) {
      if (spares.remove(spare)) {
        allBytes.addAndGet(-spare.bytes());
        drop(spare);
      }
    }
  }

  private void drop(Spare spare) {
    try {
      names.delete(spare.id(), IngestSegmentState.SPARE);
    } catch (IOException e) {
      // It is deleted at the next start, and nobody reads it until then.
      log.warn("{}: a spare file cannot be deleted", spare.id(), e);
    }
  }
}

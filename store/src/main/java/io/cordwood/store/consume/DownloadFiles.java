package io.cordwood.store.consume;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.store.claim.Claim;
import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.segment.StoreFolder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a consumer pulls ingest segments into, so that no heap has to hold them. They are
 * overwritten by one gather after the other and never forced: until the commit, the ingest node has
 * what is in them. A segment of this node's own is not copied: its slot reads it where it is. One
 * thread, save that each slot is filled by a thread of its own.
 *
 * <p>A new file for each segment would take new memory from the OS for each, which can cost more
 * than all the rest of a pull.
 */
final class DownloadFiles implements AutoCloseable {
  /** A file of more is not kept for the next gather. */
  private static final long MAX_KEPT_BYTES = 64 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(DownloadFiles.class);

  private final Filesystem filesystem;
  private final Path folder;
  private final String name;
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final List<Slot> taken = new ArrayList<>();
  private int number;

  /**
   * @param name that no other consumer of the folder has
   */
  DownloadFiles(Filesystem filesystem, Path folder, String name) {
    this.filesystem = filesystem;
    this.folder = folder;
    this.name = name;
  }

  /** A file for one segment, which no other segment has until {@link #reuse}. */
  Slot take() {
    Slot slot = free.isEmpty() ? new Slot(newPath()) : free.pop();
    taken.add(slot);
    return slot;
  }

  private Path newPath() {
    return folder.resolve(name + "-" + number++ + StoreFolder.SPOOL_ENDING);
  }

  /** Lets go of a slot whose content is of no use. */
  void giveBack(Slot slot) {
    slot.closeOwn();
    taken.remove(slot);
    free.push(slot);
  }

  /** Closes the ingest segments of this node that are read in place. */
  void closeOwn() {
    taken.forEach(Slot::closeOwn);
  }

  /** Lets go of all that was pulled, and deletes files that were not needed for it or are large. */
  void reuse() {
    closeOwn();
    free.forEach(Slot::delete);
    free.clear();
    for (Slot slot : taken) {
      if (slot.largestBytes > MAX_KEPT_BYTES) {
        slot.delete();
      } else {
        free.push(slot);
      }
    }
    taken.clear();
  }

  @Override
  public void close() {
    reuse();
    reuse();
  }

  /**
   * A pulled ingest segment: the first bytes of a spool file, after which there may be some of the
   * segment before.
   *
   * @param file owned by the slot
   */
  record Download(ReadableFile file, long size) implements ByteSource {
    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (position + target.remaining() > size) {
        throw new EOFException(
            "expected %d bytes at %d of a pulled segment of %d bytes"
                .formatted(target.remaining(), position, size));
      }
      file.read(target, position);
    }
  }

  /** One file. */
  final class Slot {
    private final Path path;
    private @Nullable ReadableFile file;
    private @Nullable ReadableFile own;
    private long largestBytes;
    private @Nullable Download spool;

    private Slot(Path path) {
      this.path = path;
    }

    /**
     * Pulls a claimed segment, whole; one of this node's own is only opened and read. On a thread
     * that has the slot for itself.
     */
    ScannedSegment pull(Claim claim, IngestClient client, DamagedBytes damaged) throws IOException {
      ReadableFile source = client.openOwn(claim).orElse(null);
      if (source != null) {
        own = source;
        spool = new Download(source, claim.bytes());
        return ScannedSegment.of(claim, spool, damaged);
      }
      largestBytes = Math.max(largestBytes, claim.bytes());
      try (PeerResponse response = client.read(claim);
          WritableFile target = writable()) {
        ReadableFile kept = readable();
        var arriving = new ArrivingSegment(response.body(), target, kept, claim.bytes());
        ScannedSegment scanned = ScannedSegment.of(claim, arriving, damaged);
        arriving.end();
        spool = new Download(kept, claim.bytes());
        return scanned;
      }
    }

    private ReadableFile readable() throws IOException {
      ReadableFile opened = file;
      if (opened == null) {
        opened = filesystem.open(path);
        file = opened;
      }
      return opened;
    }

    private void closeOwn() {
      try (ReadableFile _ = own) {
        own = null;
      } catch (IOException e) {
        LOG.warn("{}: an ingest segment of this node is not closed: {}", name, e.getMessage());
      }
    }

    /** The file that was pulled last. */
    Download spool() {
      return java.util.Objects.requireNonNull(spool);
    }

    private WritableFile writable() throws IOException {
      try {
        return filesystem.overwrite(path);
      } catch (NoSuchFileException e) {
        return filesystem.create(path);
      }
    }

    private void delete() {
      try (ReadableFile _ = file) {
        filesystem.delete(path);
      } catch (IOException e) {
        // It is deleted at the next start; no other file gets its name before.
        LOG.warn("{}: not deleted: {}", path, e.getMessage());
      }
    }
  }
}

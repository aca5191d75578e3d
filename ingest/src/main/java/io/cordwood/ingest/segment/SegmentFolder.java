package io.cordwood.ingest.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The folder that holds the ingest segments, each in a file named after its ULID and its state, and
 * the files of committed segments that are about to hold new ones. For all threads.
 */
final class SegmentFolder {
  private final Filesystem files;
  private final Path path;
  private final SegmentNames names;
  private final OpenSegments open = new OpenSegments();
  private final RecycledFiles spares;
  private final UsedFiles used = new UsedFiles();

  /**
   * @param path of the folder, which this process has locked
   */
  SegmentFolder(Filesystem files, Path path) {
    this.files = files;
    this.path = path;
    this.names = new SegmentNames(files, path);
    this.spares = new RecycledFiles(names, RecycledFiles.KEPT);
  }

  Filesystem files() {
    return files;
  }

  Path path() {
    return path;
  }

  Path file(Ulid id, IngestSegmentState state) {
    return names.file(id, state);
  }

  /** Moves a segment from one state to another: one rename, durable after {@link #force}. */
  void move(Ulid id, IngestSegmentState from, IngestSegmentState to) throws IOException {
    names.move(id, from, to);
  }

  /** Opens a segment for reading; it can be read to its end whatever becomes of it. */
  ReadableFile open(Ulid id, IngestSegmentState state) throws IOException {
    return open.open(id, () -> files.open(file(id, state)));
  }

  /** A file for a segment's batches, in a state that says whether it may hold older ones too. */
  record NewFile(WritableFile file, IngestSegmentState state) {}

  NewFile create(Ulid id) throws IOException {
    Optional<Ulid> spare = spares.take();
    return spare.isPresent()
        ? reuse(spare.get(), id)
        : new NewFile(files.create(file(id, IngestSegmentState.ACTIVE)), IngestSegmentState.ACTIVE);
  }

  private NewFile reuse(Ulid spare, Ulid id) throws IOException {
    Path reused = file(id, IngestSegmentState.REUSED);
    files.rename(file(spare, IngestSegmentState.SPARE), reused);
    return new NewFile(files.overwrite(reused), IngestSegmentState.REUSED);
  }

  /** A new file whose name is durable. Blocks. */
  NewFile createDurably(Ulid id) throws IOException {
    NewFile created = create(id);
    try {
      force();
      return created;
    } catch (IOException e) {
      created.file().close();
      throw e;
    }
  }

  void delete(Ulid id, IngestSegmentState state) throws IOException {
    names.delete(id, state);
  }

  /** Keeps a segment's file until it is unpinned, though the segment is retired. */
  void pin(Ulid id) {
    open.pin(id);
  }

  /** Ends a pin; the file goes with the last one if the segment was retired. */
  void unpin(Ulid id) throws IOException {
    open.unpin(id, () -> delete(id, IngestSegmentState.SPARE));
  }

  /** Ends a pending segment, which is durable elsewhere. */
  void retire(Ulid id, long bytes) throws IOException {
    boolean kept =
        open.retireIfPinned(
                id, () -> move(id, IngestSegmentState.PENDING, IngestSegmentState.SPARE))
            || open.ifNone(id, () -> mayBeKept(id, bytes) && spares.keep(id, bytes));
    if (!kept) {
      delete(id, IngestSegmentState.PENDING);
    }
  }

  private boolean mayBeKept(Ulid id, long bytes) {
    return used.mayBeKept(id, bytes, () -> files.open(file(id, IngestSegmentState.PENDING)));
  }

  /**
   * From now on no file is kept that may hold something deleted; those that are kept go.
   *
   * @param next the name of a segment that begins after this
   */
  void leaveOut(Supplier<? extends LeftOut> deleted, Ulid next) {
    used.leaveOut(deleted, next);
    spares.dropAll();
  }

  /** Whether a segment may hold what was deleted after it was begun. */
  boolean isOld(Ulid id) {
    return used.isOld(id);
  }

  /** How much room the disk has; lets go of spare files that are old, or of all if it is little. */
  long usableBytes() throws IOException {
    long usable = files.usableBytes(path);
    spares.dropOld(usable);
    return usable;
  }

  /** Makes all creations, renames and deletions durable. */
  void force() throws IOException {
    files.forceFolder(path);
  }
}

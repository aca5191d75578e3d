package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.OpenFiles;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.ulid.UlidStamper;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * The folder of a store: its segments, and in folders of their own what is being gathered and what
 * was damaged when it came.
 *
 * <pre>
 *   LOCK                  held while a process has the folder
 *   replicated-from       since when all that is here has its copies
 *   purged-early          up to when records went for lack of room
 *   evicted               up to when records went that a bucket has
 *   *.active *.flushed *.trashed *.damaged *.restored   {@link SegmentName}
 *   ULID.swap             {@link SwapFile}
 *   gather/               pulled ingest segments; emptied at start
 *   damaged/ID-OFFSET     stretches of ingest segments that are no batches
 *   damaged/FROM-TO.batch batches that no segment could be written with
 * </pre>
 *
 * <p>Names are given under the lock of the {@link StoreLog}.
 */
public final class StoreFolder {
  /** Ends the names of the files in {@code gather/}. */
  public static final String SPOOL_ENDING = ".spool";

  /** Ends the names of batches in {@code damaged/} that could not be stored. */
  public static final String BATCH_ENDING = ".batch";

  /** Space left free on the disk for writes that cannot be postponed. */
  private static final long HEADROOM_BYTES = 64L << 20;

  private static final long LEAST_HEADROOM_BYTES = 1L << 20;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(StoreFolder.class));

  private static final String GATHER = "gather";
  private static final String DAMAGED = "damaged";
  private static final String LOCK = "LOCK";
  private static final String REPLICATED_FROM = "replicated-from";
  static final String PURGED_EARLY = "purged-early";
  static final String EVICTED = "evicted";
  static final String EXPIRED = "evicted-by-age";

  private final Filesystem filesystem;
  private final Path path;
  private final SegmentOpener opener;
  private final UlidStamper ids;
  private final Set<String> taken = new HashSet<>();

  /**
   * Touches nothing on the disk; {@link StoreRecovery#open} does.
   *
   * @param clock by which names of segments are made
   */
  public StoreFolder(Filesystem filesystem, Path path, InstantSource clock) {
    this(filesystem, path, clock, OpenFiles.halfOfAllowed(filesystem));
  }

  StoreFolder(Filesystem filesystem, Path path, InstantSource clock, OpenFiles files) {
    this.filesystem = filesystem;
    this.path = path;
    this.opener = new SegmentOpener(files);
    this.ids = new UlidStamper(clock);
  }

  /** Whether a name that is no segment's belongs to the store all the same. */
  static boolean isOwn(String name) {
    return name.equals(LOCK)
        || name.equals(GATHER)
        || name.equals(DAMAGED)
        || name.startsWith(REPLICATED_FROM)
        || name.startsWith(PURGED_EARLY)
        || name.startsWith(EVICTED)
        || SwapFile.isName(name);
  }

  public Filesystem filesystem() {
    return filesystem;
  }

  public Path path() {
    return path;
  }

  SegmentOpener opener() {
    return opener;
  }

  /** For files of a running consumption: nothing there outlives a start. */
  public Path gather() {
    return path.resolve(GATHER);
  }

  /** For stretches that are no batches, and for batches that no segment could be written with. */
  public Path damaged() {
    return path.resolve(DAMAGED);
  }

  /** The file that says which records have all their copies. */
  public Path replicatedFrom() {
    return path.resolve(REPLICATED_FROM);
  }

  /** The file that says up to when records went for lack of room. */
  public Path earlyPurges() {
    return path.resolve(PURGED_EARLY);
  }

  /** The file that says up to when records went before their time, since a bucket has them. */
  public Path evicted() {
    return path.resolve(EVICTED);
  }

  /** The file that says up to when records went by their age that the bucket keeps for longer. */
  public Path expired() {
    return path.resolve(EXPIRED);
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /** Whether the disk can take that many bytes and is not full afterwards. */
  public boolean hasRoomFor(long bytes) {
    return usableBytes() >= bytes + HEADROOM_BYTES;
  }

  /**
   * Whether the disk can take that many bytes that soon go again, or let others go. A little work
   * needs a little room, so that a disk that is nearly full gets some.
   */
  public boolean hasRoomToRewrite(long bytes) {
    return usableBytes() >= bytes + Math.clamp(bytes, LEAST_HEADROOM_BYTES, HEADROOM_BYTES);
  }

  /** Bytes that the disk can still take; 0 if it does not say so. */
  public long usableBytes() {
    try {
      return filesystem.usableBytes(path);
    } catch (IOException e) {
      LOG.warn("free space not known, taken to be full:", path, e);
      return 0;
    }
  }

  /**
   * Gives a new segment its name, under which it is durable then; its path. If that fails, nothing
   * is left of it.
   */
  Path publish(SegmentBuilder.Flushed flushed) throws IOException {
    Path named = resolve(newName(flushed.segment().range(), StoreSegmentState.FLUSHED));
    flushed.file().willBe(named);
    try {
      filesystem.rename(flushed.path(), named);
      force();
      return named;
    } catch (IOException e) {
      flushed.segment().release();
      SegmentBuilder.discard(filesystem, flushed.path(), e);
      SegmentBuilder.discard(filesystem, named, e);
      throw e;
    }
  }

  /** Gives a file another name, durably. */
  Path rename(Path file, String name) throws IOException {
    filesystem.rename(file, resolve(name));
    force();
    free(String.valueOf(file.getFileName()));
    return resolve(name);
  }

  /** Gives a file that was set aside its last name; where it is then, or was if it is gone. */
  Path restored(String damaged) throws IOException {
    UlidRange range = SegmentName.parse(damaged).orElseThrow().range();
    try {
      return rename(resolve(damaged), newName(range, StoreSegmentState.RESTORED));
    } catch (NoSuchFileException e) {
      return resolve(damaged);
    }
  }

  /** Makes all renames and deletions so far durable. */
  void force() throws IOException {
    filesystem.forceFolder(path);
  }

  /** Notes that a name is in use. */
  void take(String name) {
    taken.add(name);
  }

  /** Notes that a name is not in use any more. */
  void free(String name) {
    taken.remove(name);
  }

  /** A name for a file being written. */
  Path newActive() {
    return resolve(SegmentName.active(ids.stamp(1)).toString());
  }

  Path newSwap() {
    return resolve(ids.stamp(1) + SwapFile.ENDING);
  }

  /** The first name for a range and state that is not in use, now in use. */
  String newName(UlidRange range, StoreSegmentState state) {
    for (int number = 1; ; number++) {
      String name = SegmentName.of(range, number, state).toString();
      if (taken.add(name)) {
        return name;
      }
    }
  }
}

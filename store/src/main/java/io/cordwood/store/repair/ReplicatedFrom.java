package io.cordwood.store.repair;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WholeFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From which time on all that this store holds is on as many stores as it should be: what the last
 * comparison of the stores found, kept in a file across restarts. It is no more than that; what
 * other stores have lost since is found by the next comparison. Any thread may ask.
 *
 * <pre>
 *   COPIES MILLIS LF    what is compared with how many copies
 * </pre>
 */
final class ReplicatedFrom {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedFrom.class);

  /** Nothing is known to have its copies. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private final Filesystem disk;
  private final Path file;
  private final int copies;
  private final Instant unknownUntil;
  private volatile long millis;
  private boolean isOnDisk;

  /**
   * @param copies that there should be of everything
   * @param isEmpty whether the store holds nothing, so that nothing of it can lack a copy
   * @param newest of the times of all records that it holds; {@link Instant#MIN} if there are none
   * @throws IOException if what was found with another number of copies can neither be replaced nor
   *     deleted: once that number is back, it would be believed
   */
  ReplicatedFrom(Filesystem disk, Path file, int copies, boolean isEmpty, Instant newest)
      throws IOException {
    this.disk = disk;
    this.file = file;
    this.copies = copies;
    this.millis = isEmpty ? 0 : read();
    this.unknownUntil = millis == UNKNOWN ? newest : Instant.ofEpochMilli(millis).minusMillis(1);
    write();
  }

  /**
   * Whether all that is held of this time and later was on as many stores as it should be when it
   * was taken. What was not known at the start of the store may have had fewer.
   */
  boolean hadCopiesWhenTaken(Instant time) {
    return time.isAfter(unknownUntil);
  }

  private long read() {
    try {
      String[] words = WholeFile.read(disk, file).strip().split(" ", -1);
      long found = Long.parseLong(words[words.length - 1]);
      return words.length == 2 && words[0].equals(Integer.toString(copies)) && found >= 0
          ? found
          : UNKNOWN;
    } catch (NoSuchFileException e) {
      return UNKNOWN;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: does not read, so nothing is known of other copies: {}", file, e.toString());
      return UNKNOWN;
    }
  }

  /** In milliseconds since 1970; {@link Long#MAX_VALUE} if nothing is known of any record. */
  public long millis() {
    return millis;
  }

  synchronized void set(long found) {
    if (found == millis && isOnDisk) {
      return;
    }
    millis = found;
    try {
      write();
    } catch (IOException e) {
      LOG.warn("{}: says what is no longer so, and cannot be deleted: {}", file, e.toString());
    }
  }

  /** Leaves no file rather than one that says something else. */
  private void write() throws IOException {
    isOnDisk = false;
    try {
      WholeFile.writeForced(disk, file, copies + " " + millis + "\n");
      isOnDisk = true;
    } catch (IOException e) {
      LOG.warn("{}: not written: {}", file, e.toString());
      disk.delete(file);
      disk.forceFolder(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }
  }
}

package io.cordwood.store;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a consumer pulls ingest segments into, so that no heap has to hold them. They are
 * overwritten by one gather after the other and never forced: until the commit, the ingest node has
 * what is in them. One thread.
 *
 * <p>A new file for each segment would take new memory from the OS for each, which can cost more
 * than all the rest of a pull.
 */
final class Spools implements AutoCloseable {
  static final String ENDING = ".spool";

  /** A file of more is not kept for the next gather. */
  private static final long MAX_KEPT_BYTES = 64 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Spools.class);

  private final Filesystem filesystem;
  private final Path folder;
  private final String name;
  private final List<ReadableFile> files = new ArrayList<>();
  private int used;
  private boolean large;

  /**
   * @param name that no other consumer of the folder has
   */
  Spools(Filesystem filesystem, Path folder, String name) {
    this.filesystem = filesystem;
    this.folder = folder;
    this.name = name;
  }

  /** Pulls a claimed segment, whole, into a file that no other has until {@link #reuse}. */
  Spool pull(Claim claim, IngestClient client) throws IOException {
    Path path = path(used);
    large |= claim.bytes() > MAX_KEPT_BYTES;
    try (WritableFile target = writable(path)) {
      client.read(claim, target);
    }
    if (used == files.size()) {
      files.add(filesystem.open(path));
    }
    return new Spool(files.get(used++), claim.bytes());
  }

  private WritableFile writable(Path path) throws IOException {
    try {
      return filesystem.overwrite(path);
    } catch (NoSuchFileException e) {
      return filesystem.create(path);
    }
  }

  /** Lets go of what was pulled last, which was of no use. */
  void unpull() {
    used--;
  }

  /** Lets go of all that was pulled, and deletes files that were not needed for it or are large. */
  void reuse() {
    shrink(large ? 0 : used);
    used = 0;
    large = false;
  }

  private void shrink(int size) {
    while (files.size() > size) {
      Path path = path(files.size() - 1);
      try (ReadableFile _ = files.removeLast()) {
        filesystem.delete(path);
      } catch (IOException e) {
        // It is deleted at the next start, or overwritten when its name is needed again.
        LOG.warn("{}: not deleted: {}", path, e.getMessage());
      }
    }
  }

  private Path path(int number) {
    return folder.resolve(name + "-" + number + ENDING);
  }

  @Override
  public void close() {
    shrink(0);
  }
}

package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a store that nobody reads any more: trash, and what was set aside. They are cleared
 * if they may hold something that is to be read by nobody. A name that says what is lacking stays,
 * with nothing in it.
 */
public final class SetAsideFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SetAsideFiles.class);

  private final StoreLog log;
  private final StoreFolder folder;
  private final Filesystem filesystem;

  public SetAsideFiles(StoreLog log) {
    this.log = log;
    this.folder = log.folder();
    this.filesystem = folder.filesystem();
  }

  /**
   * Clears what may hold some of what is left out.
   *
   * @return why some cannot be cleared; empty if nothing is left
   */
  public Optional<String> clear(LeftOut leftOut) {
    try {
      for (Path file : filesystem.list(folder.path())) {
        Optional<SegmentName> name = SegmentName.parse(String.valueOf(file.getFileName()));
        if (name.isPresent() && leftOut.touches(name.get().range())) {
          clear(file, name.get().state());
        }
      }
      for (Path file : filesystem.list(folder.damaged())) {
        clearDamaged(file, leftOut);
      }
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("what is set aside cannot be cleared of what is deleted: {}", e.toString());
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void clear(Path file, StoreSegmentState state) throws IOException {
    switch (state) {
      case ACTIVE, FLUSHED -> {}
      case TRASHED, RESTORED -> {
        log.purge(file);
        LOG.info("{}: gone, since it may hold what is deleted", file);
      }
      case DAMAGED -> empty(file);
    }
  }

  /** Stretches that are no batches may be of any time. */
  private void clearDamaged(Path file, LeftOut leftOut) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(StoreFolder.BATCH_ENDING)) {
      filesystem.delete(file);
      filesystem.forceFolder(folder.damaged());
      LOG.info("{}: gone, since it may hold what is deleted", file);
      return;
    }
    String range = name.substring(0, name.length() - StoreFolder.BATCH_ENDING.length());
    if (leftOut.touches(UlidRange.parse(range).orElse(UlidRange.ALL))) {
      empty(file);
    }
  }

  private void empty(Path file) throws IOException {
    OptionalLong size = filesystem.size(file);
    if (size.isPresent() && size.getAsLong() > 0) {
      filesystem.truncate(file, 0);
      LOG.info("{}: emptied, since it may hold what is deleted", file);
    }
  }
}

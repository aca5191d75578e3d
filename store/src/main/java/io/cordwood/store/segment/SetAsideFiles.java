package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** How a file is cleared. */
  @FunctionalInterface
  private interface Clearing {
    void clear(Path file) throws IOException;
  }

  /**
   * A file that holds something.
   *
   * @param range of the records that may be in it
   */
  private record SetAside(Path file, UlidRange range, Clearing clearing) {}

  /**
   * Clears what may hold some of what is left out.
   *
   * @return why some cannot be cleared; empty if nothing is left
   */
  public Optional<String> clear(LeftOut leftOut) {
    try {
      for (SetAside each : all()) {
        if (leftOut.touches(each.range)) {
          each.clearing.clear(each.file);
          LOG.info("{}: cleared, since it may hold what is deleted", each.file);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("what is set aside cannot be cleared of what is deleted: {}", e.toString());
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The ranges of the records that may be in the files; any thread. */
  public List<UlidRange> ranges() throws IOException {
    return all().stream().map(SetAside::range).toList();
  }

  private List<SetAside> all() throws IOException {
    List<SetAside> all = new ArrayList<>();
    for (Path file : filesystem.list(folder.path())) {
      Optional<SegmentName> name = SegmentName.parse(String.valueOf(file.getFileName()));
      Optional<Clearing> clearing = name.flatMap(it -> clearing(it.state()));
      if (clearing.isPresent() && holdsSomething(file)) {
        all.add(new SetAside(file, name.orElseThrow().range(), clearing.get()));
      }
    }
    for (Path file : filesystem.list(folder.damaged())) {
      if (holdsSomething(file)) {
        all.add(damaged(file));
      }
    }
    return all;
  }

  private boolean holdsSomething(Path file) throws IOException {
    return filesystem.size(file).orElse(0) > 0;
  }

  private Optional<Clearing> clearing(StoreSegmentState state) {
    return switch (state) {
      case ACTIVE, FLUSHED -> Optional.empty();
      case TRASHED, RESTORED -> Optional.of(log::purge);
      case DAMAGED -> Optional.of(this::empty);
    };
  }

  /** Stretches that are no batches may be of any time. */
  private SetAside damaged(Path file) {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(StoreFolder.BATCH_ENDING)) {
      return new SetAside(file, UlidRange.ALL, this::delete);
    }
    String range = name.substring(0, name.length() - StoreFolder.BATCH_ENDING.length());
    return new SetAside(file, UlidRange.parse(range).orElse(UlidRange.ALL), this::empty);
  }

  private void delete(Path file) throws IOException {
    filesystem.delete(file);
    filesystem.forceFolder(folder.damaged());
  }

  private void empty(Path file) throws IOException {
    filesystem.truncate(file, 0);
  }
}

package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.StoreMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a store's folder when the store starts, and handles each file of it.
 *
 * <pre>
 *   swap      finished if it is whole and not void, then deleted
 *   active    deleted: its sources are still where they were
 *   flushed   opened; if its index is damaged, its intact blocks are written to a new segment
 *   trashed, damaged, restored   left
 *   in gather/         deleted: nothing of it was committed
 *   anything else      left alone, and named in one line of the log
 * </pre>
 */
public final class StoreRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(StoreRecovery.class);

  private final StoreFolder folder;
  private final Filesystem filesystem;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final List<String> foreign = new ArrayList<>();

  private StoreRecovery(StoreFolder folder, StoreLog log, StoreMetrics metrics) {
    this.folder = folder;
    this.filesystem = folder.filesystem();
    this.log = log;
    this.metrics = metrics;
  }

  /**
   * Takes the folder and opens what is in it, whatever its state.
   *
   * @throws io.cordwood.common.file.FolderInUseException if another process has it
   */
  public static StoreLog open(StoreFolder folder, StoreMetrics metrics) throws IOException {
    Filesystem filesystem = folder.filesystem();
    filesystem.createFolders(folder.path());
    Closeable exclusive = filesystem.lock(folder.path());
    try {
      filesystem.createFolders(folder.gather());
      filesystem.createFolders(folder.damaged());
      var log = new StoreLog(folder, exclusive, metrics);
      folder.opener().watch(metrics);
      new StoreRecovery(folder, log, metrics).run();
      return log;
    } catch (IOException | RuntimeException e) {
      exclusive.close();
      throw e;
    }
  }

  private void run() throws IOException {
    finishSwaps();
    deleteGathered();
    noteUnstorable();
    List<Path> flushed = new ArrayList<>();
    for (Path path : filesystem.list(folder.path())) {
      sort(path, flushed);
    }
    if (!foreign.isEmpty()) {
      LOG.info("{}: left alone what is not the store's: {}", folder.path(), foreign);
    }
    List<Path> damaged = new ArrayList<>();
    log.recovered(open(flushed, damaged));
    for (Path path : damaged) {
      salvage(path);
    }
  }

  private void salvage(Path path) {
    try {
      new Salvage(log, metrics).unopenable(path);
    } catch (IOException e) {
      LOG.error("{}: damaged, and not set aside before the next start", path, e);
      leftOut(path);
    }
  }

  private void leftOut(Path path) {
    metrics.unreadable();
    SegmentName.parse(nameOf(path)).ifPresent(name -> log.lacks().unreadable(name.range()));
  }

  private void finishSwaps() throws IOException {
    for (Path path : filesystem.list(folder.path())) {
      if (SwapFile.isName(nameOf(path))) {
        Optional<SwapFile> swap = SwapFile.read(filesystem, path);
        boolean finished = swap.isPresent() && swap.get().finish(folder);
        LOG.info("{}: {}", path, finished ? "finished an exchange of segments" : "void, dropped");
        filesystem.delete(path);
        folder.force();
      }
    }
  }

  private void deleteGathered() throws IOException {
    for (Path path : filesystem.list(folder.gather())) {
      if (nameOf(path).endsWith(StoreFolder.SPOOL_ENDING)) {
        filesystem.delete(path);
      }
    }
  }

  private void noteUnstorable() throws IOException {
    for (Path path : filesystem.list(folder.damaged())) {
      String name = nameOf(path);
      if (name.endsWith(StoreFolder.BATCH_ENDING)) {
        String range = name.substring(0, name.length() - StoreFolder.BATCH_ENDING.length());
        UlidRange.parse(range).ifPresent(log.lacks()::unstorable);
      }
    }
  }

  private void sort(Path path, List<Path> flushed) throws IOException {
    String name = nameOf(path);
    Optional<SegmentName> parsed = SegmentName.parse(name);
    if (parsed.isEmpty()) {
      if (!StoreFolder.isOwn(name)) {
        foreign.add(name);
      }
      return;
    }
    folder.take(name);
    switch (parsed.get().state()) {
      case ACTIVE -> {
        filesystem.delete(path);
        folder.free(name);
        LOG.info("{}: deleted, a segment that was not finished", path);
      }
      case FLUSHED -> flushed.add(path);
      case DAMAGED -> log.lacks().setAside(name, parsed.get().range());
      case TRASHED, RESTORED -> {}
    }
  }

  /**
   * A segment whose file was opened, or not.
   *
   * @param failure null if it was
   */
  private record Opened(Path path, Optional<LiveSegment> segment, @Nullable IOException failure) {}

  /** On all cores: with very many segments this is what a start waits for. */
  private List<LiveSegment> open(List<Path> flushed, List<Path> damaged) {
    List<Opened> all = flushed.parallelStream().map(this::open).toList();
    for (Opened one : all) {
      if (one.failure() instanceof CorruptException e) {
        LOG.warn("{}: damaged {}", one.path(), e.getMessage());
        damaged.add(one.path());
      } else if (one.failure() != null) {
        LOG.error(
            "{}: cannot be read and is left out until the next start", one.path(), one.failure());
        leftOut(one.path());
      }
    }
    return all.stream().flatMap(one -> one.segment().stream()).toList();
  }

  private Opened open(Path path) {
    try {
      SegmentBuilder.Flushed file = folder.opener().open(path);
      return new Opened(path, Optional.of(LiveSegment.of(path, file)), null);
    } catch (IOException e) {
      return new Opened(path, Optional.empty(), e);
    }
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName());
  }
}

package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Copies what an ingest node's folder holds, while a node may be using it. Files of committed
 * segments are overwritten in place, so nothing is linked: a file whose segment was committed while
 * it was copied is left out, since a store has what was in it.
 *
 * <p>What is copied may end in a torn batch, as after a crash, and is made good by the start of the
 * node that gets it. Blocks; one thread.
 */
public final class IngestBackup {
  private static final Set<IngestSegmentState> HELD =
      EnumSet.of(
          IngestSegmentState.ACTIVE,
          IngestSegmentState.REUSED,
          IngestSegmentState.FLUSHED,
          IngestSegmentState.PENDING,
          IngestSegmentState.QUARANTINED);

  private final Path folder;
  private final Path target;
  private final Set<Ulid> copied = new HashSet<>();
  private final List<Path> files = new ArrayList<>();

  private IngestBackup(Path folder, Path target) {
    this.folder = folder;
    this.target = target;
  }

  /**
   * Copies it; when this returns, the copies are forced. All is there that was acknowledged before,
   * unless a store has committed it.
   *
   * @param target an empty folder
   * @return the copies
   */
  public static List<Path> copy(Path folder, Path target) throws IOException {
    var backup = new IngestBackup(folder, target);
    backup.copySome();
    while (backup.copySome()) {
      // What is renamed while a folder is listed may be missing in the list: a second one has it.
    }
    backup.copyAside();
    return backup.files;
  }

  /** Copies what was not yet; false once all that is there was. */
  private boolean copySome() throws IOException {
    boolean missed = false;
    for (IngestSegmentState.Name name : names()) {
      if (HELD.contains(name.state()) && !copied.contains(name.id())) {
        missed |= !copy(name);
      }
    }
    return missed;
  }

  private List<IngestSegmentState.Name> names() throws IOException {
    List<IngestSegmentState.Name> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        IngestSegmentState.Name.of(file).ifPresent(names::add);
      }
    }
    return names;
  }

  /** False if it has another name by now. */
  private boolean copy(IngestSegmentState.Name name) throws IOException {
    Path copy = target.resolve(name.fileName());
    try {
      copyForced(folder.resolve(name.fileName()), copy);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (state(name.id()).isPresent()) {
      files.add(copy);
    } else {
      Files.delete(copy); // It may hold another segment's bytes.
    }
    copied.add(name.id());
    return true;
  }

  /** The state in which a segment is held now; empty if stores have it. */
  private Optional<IngestSegmentState> state(Ulid id) {
    // Looked at backwards: a segment only goes forward, so none is missed.
    for (IngestSegmentState state : List.copyOf(HELD).reversed()) {
      if (Files.exists(folder.resolve(new IngestSegmentState.Name(id, state).fileName()))) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  private void copyAside() throws IOException {
    Path aside = folder.resolve(IngestRecovery.ASIDE);
    if (!Files.isDirectory(aside)) {
      return;
    }
    Path copies = Files.createDirectories(target.resolve(IngestRecovery.ASIDE));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(aside, Files::isRegularFile)) {
      for (Path file : all) {
        Path copy = copies.resolve(file.getFileName());
        copyForced(file, copy);
        files.add(copy);
      }
    }
  }

  private static void copyForced(Path from, Path to) throws IOException {
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel sink =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = source.size();
      for (long at = 0; at < size; ) {
        long count = source.transferTo(at, size - at, sink);
        if (count == 0) {
          break; // It was cut meanwhile.
        }
        at += count;
      }
      sink.force(true);
    }
  }
}

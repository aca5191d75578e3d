package io.cordwood.store.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Links what a store's folder holds into another one, while a node may be using it; across file
 * systems it copies. Segments never change, so a link is as good as a copy until the disk fails.
 *
 * <p>A segment that goes while it is looked for was replaced by another one, which is then found.
 * So some batches may be there twice, which readers drop. Blocks; one thread.
 */
public final class StoreBackup {
  private static final String DAMAGED = "damaged";

  private final Path folder;
  private final Path target;
  private final boolean link;
  private final Set<Object> taken = new HashSet<>();
  private final List<Path> files = new ArrayList<>();
  private int copies;

  private StoreBackup(Path folder, Path target, boolean link) {
    this.folder = folder;
    this.target = target;
    this.link = link;
  }

  /**
   * The files put into the other folder.
   *
   * @param copies how many of the files are no links
   */
  public record Result(List<Path> files, int copies) {}

  /**
   * Links or copies it; when this returns, what was copied is forced.
   *
   * @param target an empty folder
   * @param link false to copy in any case
   */
  public static Result take(Path folder, Path target, boolean link) throws IOException {
    var backup = new StoreBackup(folder, target, link);
    while (backup.takeSome()) {
      // What went meanwhile, perhaps before it was listed, stands in another segment.
    }
    backup.takeDamaged();
    backup.takePurgedEarly();
    return new Result(backup.files, backup.copies);
  }

  /** Takes what was not yet; false once there was nothing new. */
  private boolean takeSome() throws IOException {
    boolean found = false;
    for (Path file : whole()) {
      try {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        if (key == null || taken.add(key)) {
          take(file, free(file.getFileName().toString()));
          found = true;
        }
      } catch (NoSuchFileException e) {
        found = true;
      }
    }
    return found;
  }

  /** A name may be given again when the segment that had it is gone. */
  private Path free(String name) {
    SegmentName wanted = SegmentName.parse(name).orElseThrow();
    Path path = target.resolve(name);
    for (int number = 2; Files.exists(path); number++) {
      path = target.resolve(SegmentName.of(wanted.range(), number, wanted.state()).toString());
    }
    return path;
  }

  private List<Path> whole() throws IOException {
    List<Path> whole = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        Optional<SegmentName> name = SegmentName.parse(file.getFileName().toString());
        if (name.isPresent() && isWhole(name.get().state())) {
          whole.add(file);
        }
      }
    }
    return whole;
  }

  private static boolean isWhole(StoreSegmentState state) {
    return state == StoreSegmentState.FLUSHED || state == StoreSegmentState.DAMAGED;
  }

  private void takeDamaged() throws IOException {
    Path damaged = folder.resolve(DAMAGED);
    if (!Files.isDirectory(damaged)) {
      return;
    }
    Path there = Files.createDirectories(target.resolve(DAMAGED));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(damaged, Files::isRegularFile)) {
      for (Path file : all) {
        take(file, there.resolve(file.getFileName()));
      }
    }
  }

  /** Last: no record that is not in the backup went before what this says. */
  private void takePurgedEarly() throws IOException {
    copyIfThere(StoreFolder.PURGED_EARLY);
    copyIfThere(StoreFolder.EVICTED);
    copyIfThere(StoreFolder.EXPIRED);
  }

  private void copyIfThere(String name) throws IOException {
    try {
      copy(folder.resolve(name), target.resolve(name));
    } catch (NoSuchFileException e) {
      // Nothing went.
    }
  }

  private void take(Path from, Path to) throws IOException {
    if (linked(from, to)) {
      files.add(to);
    } else {
      copy(from, to);
    }
  }

  /** As old as what it is of, since retention goes by that, too. */
  private void copy(Path from, Path to) throws IOException {
    FileTime written = Files.getLastModifiedTime(from);
    Files.copy(from, to);
    Files.setLastModifiedTime(to, written);
    try (FileChannel copy = FileChannel.open(to, StandardOpenOption.WRITE)) {
      copy.force(true);
    }
    copies++;
    files.add(to);
  }

  private boolean linked(Path from, Path to) throws NoSuchFileException {
    if (!link) {
      return false;
    }
    try {
      Files.createLink(to, from);
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      return false; // Another file system, or one without links.
    }
  }
}

package io.cordwood.dist.backup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Copies the files of a backup into a data folder. */
final class Restore {
  private final Path backup;
  private final Path data;
  private final Filesystem disk;

  /**
   * @param data an empty folder, or one that is not there yet
   */
  Restore(Path backup, Path data, Filesystem disk) {
    this.backup = backup;
    this.data = data;
    this.disk = disk;
  }

  /**
   * Copies them; when this returns, bytes and names are forced. A file is as old as in the backup:
   * stores keep it for no longer.
   *
   * @throws IOException also if the data folder holds something
   */
  void copy(List<Manifest.Entry> files) throws IOException {
    disk.createFolders(data);
    Backup.checkEmpty(data);
    var folders = new TreeSet<Path>();
    for (Manifest.Entry file : files) {
      Path copy = data.resolve(file.path());
      Path folder = Objects.requireNonNull(copy.getParent());
      if (folders.add(folder)) {
        disk.createFolders(folder);
      }
      copy(backup.resolve(file.path()), copy);
    }
    for (Path folder : folders) {
      disk.forceFolder(folder);
    }
  }

  private void copy(Path from, Path to) throws IOException {
    try (WritableFile copy = disk.create(to)) {
      if (from.equals(backup.resolve(Backup.MEMBERS))) {
        copyMembers(from, copy);
      } else {
        copyBytes(from, copy);
      }
      disk.setModified(to, disk.modified(from));
      copy.force();
    }
  }

  private static void copyBytes(Path from, WritableFile copy) throws IOException {
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ)) {
      long size = source.size();
      for (long at = 0; at < size; ) {
        at += source.transferTo(at, size - at, copy);
      }
    }
  }

  /** A node that is restored does not know who has joined its cluster since the backup. */
  private static void copyMembers(Path from, WritableFile copy) throws IOException {
    String text = Cluster.restoredMembers(Files.readString(from, ISO_8859_1));
    ByteBuffer bytes = ISO_8859_1.encode(text);
    while (bytes.hasRemaining()) {
      copy.write(bytes);
    }
  }
}

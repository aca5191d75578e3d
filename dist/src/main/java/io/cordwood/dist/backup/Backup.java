package io.cordwood.dist.backup;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.dist.backup.Manifest.Entry;
import io.cordwood.ingest.segment.IngestBackup;
import io.cordwood.store.segment.StoreBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes a backup of a data folder, whether a node is using it or not.
 *
 * <p>What was received moves from the ingest folder to a store's, and leaves the first only when it
 * is in the second. So the first is copied before the second is, and nothing is missed.
 */
final class Backup {
  private static final String INGEST = "ingest";
  private static final String STORE = "store";
  private static final String NODE_ID = "node-id";

  /** In a data folder, and in a backup of one. */
  static final String MEMBERS = "members";

  private final Path data;
  private final Path target;
  private final boolean link;
  private final List<Path> files = new ArrayList<>();
  private int copiedSegments;

  /**
   * @param target an empty folder, or one that is not there yet
   * @param link whether store segments are to be linked where the file system can
   */
  Backup(Path data, Path target, boolean link) {
    this.data = data;
    this.target = target;
    this.link = link;
  }

  /** Store segments that had to be copied. */
  int copiedSegments() {
    return copiedSegments;
  }

  /**
   * Takes it; when this returns, all of it is forced.
   *
   * @throws IOException also if the folder holds no node's data, or the target holds something
   */
  Manifest take() throws IOException {
    if (!Files.isRegularFile(data.resolve(NODE_ID))) {
      throw new IOException(
          data + ": expected a node's data folder, with a file " + NODE_ID + ", found none");
    }
    Filesystem.real().createFolders(target);
    checkEmpty(target);
    String began = Instant.now().toString();
    String node = Files.readString(data.resolve(NODE_ID)).strip();
    copyIngest();
    takeStore();
    copySmall(NODE_ID);
    copySmall(MEMBERS);
    copySmall(Deletions.FILE);
    forceFolders();
    var manifest = new Manifest(node, began, entries());
    manifest.write(target);
    return manifest;
  }

  static void checkEmpty(Path folder) throws IOException {
    try (var found = Files.newDirectoryStream(folder)) {
      if (found.iterator().hasNext()) {
        throw new IOException(folder + ": expected an empty folder, or none");
      }
    }
  }

  private void copyIngest() throws IOException {
    if (Files.isDirectory(data.resolve(INGEST))) {
      Path copies = Files.createDirectory(target.resolve(INGEST));
      files.addAll(IngestBackup.copy(data.resolve(INGEST), copies));
    }
  }

  private void takeStore() throws IOException {
    if (Files.isDirectory(data.resolve(STORE))) {
      Path there = Files.createDirectory(target.resolve(STORE));
      StoreBackup.Result taken = StoreBackup.take(data.resolve(STORE), there, link);
      files.addAll(taken.files());
      copiedSegments = taken.copies();
    }
  }

  private void copySmall(String name) throws IOException {
    if (Files.isRegularFile(data.resolve(name))) {
      Path copy = target.resolve(name);
      Files.copy(data.resolve(name), copy, StandardCopyOption.COPY_ATTRIBUTES);
      Manifest.force(copy);
      files.add(copy);
    }
  }

  /** Those within the backup; the manifest forces the backup's own. */
  private void forceFolders() throws IOException {
    try (Stream<Path> all = Files.walk(target)) {
      for (Path folder : all.filter(Files::isDirectory).toList()) {
        Manifest.force(folder);
      }
    }
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Path file : files) {
      entries.add(new Entry(Files.size(file), target.relativize(file).toString()));
    }
    return entries;
  }
}

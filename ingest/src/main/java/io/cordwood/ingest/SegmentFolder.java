package io.cordwood.ingest;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The folder that holds the ingest segments, each in a file named after its ULID and its state.
 *
 * @param path of the folder, which this process has locked
 */
record SegmentFolder(Filesystem files, Path path) {
  Path file(Ulid id, SegmentState state) {
    return path.resolve(new SegmentState.Name(id, state).fileName());
  }

  /** Moves a segment from one state to another: one rename, durable after {@link #force}. */
  void move(Ulid id, SegmentState from, SegmentState to) throws IOException {
    files.rename(file(id, from), file(id, to));
  }

  ReadableFile open(Ulid id, SegmentState state) throws IOException {
    return files.open(file(id, state));
  }

  void delete(Ulid id, SegmentState state) throws IOException {
    files.delete(file(id, state));
  }

  /** Makes all creations, renames and deletions durable. */
  void force() throws IOException {
    files.forceFolder(path);
  }
}

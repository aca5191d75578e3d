package io.cordwood.ingest.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The files of ingest segments, each named after its ULID and its state. For all threads.
 *
 * @param path of the folder
 */
record SegmentNames(Filesystem files, Path path) {
  Path file(Ulid id, IngestSegmentState state) {
    return path.resolve(new IngestSegmentState.Name(id, state).fileName());
  }

  /** Moves a segment from one state to another: one rename, durable after a force of the folder. */
  void move(Ulid id, IngestSegmentState from, IngestSegmentState to) throws IOException {
    files.rename(file(id, from), file(id, to));
  }

  void delete(Ulid id, IngestSegmentState state) throws IOException {
    files.delete(file(id, state));
  }

  long usableBytes() throws IOException {
    return files.usableBytes(path);
  }
}

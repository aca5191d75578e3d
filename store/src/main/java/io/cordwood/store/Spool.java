package io.cordwood.store;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pulled ingest segment, in a file that is gone when this is closed, so that no heap has to hold
 * it. Never forced: until the commit, the ingest node has it.
 */
record Spool(Filesystem filesystem, Path path, ReadableFile file) implements AutoCloseable {
  static final String ENDING = ".spool";

  private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

  /** Pulls a claimed segment, whole. */
  static Spool pull(Filesystem filesystem, Path path, Claim claim, IngestClient client)
      throws IOException {
    filesystem.delete(path);
    try {
      try (WritableFile target = filesystem.create(path)) {
        client.read(claim, target);
      }
      return new Spool(filesystem, path, filesystem.open(path));
    } catch (IOException | RuntimeException e) {
      ActiveSegment.discard(filesystem, path, e);
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
      filesystem.delete(path);
    } catch (IOException e) {
      // It is deleted at the next start, or when its name is needed again.
      LOG.warn("{}: not deleted: {}", path, e.getMessage());
    }
  }
}

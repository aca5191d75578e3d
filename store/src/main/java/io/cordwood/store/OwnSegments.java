package io.cordwood.store;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * The claimed ingest segments of the node that a store is part of: it reads their files, and does
 * not ask itself over HTTP for copies. Safe for all threads.
 */
@FunctionalInterface
public interface OwnSegments {
  /** The segments of a node that does not ingest: none. */
  OwnSegments NONE = (_, _) -> Optional.empty();

  /**
   * Opens one; the caller closes it, before it is committed, or else its file cannot be reused.
   *
   * @return empty if it is another node's
   * @throws IOException also if it is not claimed any more
   */
  Optional<ReadableFile> open(URI node, Ulid id) throws IOException;
}

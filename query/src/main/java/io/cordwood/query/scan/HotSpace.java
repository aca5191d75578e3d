package io.cordwood.query.scan;

import java.nio.file.Path;

/**
 * Disk for decompressed blocks that queries keep asking for.
 *
 * @param file stands there for the moment of its creation only
 * @param maxBytes 0 for none
 */
public record HotSpace(Path file, long maxBytes) {
  public static final HotSpace NONE = new HotSpace(Path.of(""), 0);
}

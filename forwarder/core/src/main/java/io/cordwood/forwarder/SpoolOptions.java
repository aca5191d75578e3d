package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The folder in which a forwarder keeps records that its memory has no room for, and those that are
 * not acknowledged when it ends; the next one with the same folder sends them.
 *
 * @param folder made if it is missing; one forwarder uses it at a time
 * @param maxBytes of its files, 8 MiB to 1 TiB
 */
public record SpoolOptions(Path folder, long maxBytes) {
  /** Enough for several files. */
  public static final long MIN_BYTES = 8L << 20;

  public static final long MAX_BYTES = 1L << 40;
  public static final long DEFAULT_BYTES = 1L << 30;

  public SpoolOptions {
    if (maxBytes < MIN_BYTES || maxBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected a spool of 8 MiB to 1 TiB, found " + maxBytes + " bytes");
    }
  }

  /**
   * Tries whether the folder can be used now, for those who would rather not start without. A
   * forwarder itself starts anyway, and tries again each second.
   *
   * @throws IllegalArgumentException when it is another one's, or no folder, or cannot be written
   *     to
   */
  public void check() {
    try {
      SpoolLock.take(folder).close();
    } catch (IOException e) {
      throw new IllegalArgumentException("spool " + SpoolLock.explain(e), e);
    }
  }
}

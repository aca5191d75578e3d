package io.cordwood.common.wire;

import java.io.IOException;

/**
 * Bytes that are not what their format says. The message gives the place, what was expected and
 * what was found.
 */
public final class CorruptException extends IOException {
  private final long offset;

  /**
   * @param offset of the damage, in bytes from the start of the file or of the stream
   * @param detail what was expected, and what was found
   */
  public CorruptException(long offset, String detail) {
    super("at byte " + offset + ": " + detail);
    this.offset = offset;
  }

  public long offset() {
    return offset;
  }
}

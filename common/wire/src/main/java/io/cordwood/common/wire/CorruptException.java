package io.cordwood.common.wire;

import java.io.IOException;

/**
 * Bytes that are not what their format says. The message gives the place, what was expected and
 * what was found.
 */
public final class CorruptException extends IOException {
  /**
   * @param offset of the damage, in bytes from the start of the file or of the stream
   * @param detail what was expected, and what was found
   */
  public CorruptException(long offset, String detail) {
    super("at byte " + offset + ": " + detail);
  }

  /** One for a number that is not what was expected. */
  public static CorruptException unexpected(long offset, String expected, long found) {
    return new CorruptException(
        offset, "expected %s, found %d (0x%x)".formatted(expected, found, found));
  }

  /**
   * Checks a number.
   *
   * @throws CorruptException if it is not what was expected
   */
  public static void check(boolean holds, long offset, String expected, long found)
      throws CorruptException {
    if (!holds) {
      throw unexpected(offset, expected, found);
    }
  }
}

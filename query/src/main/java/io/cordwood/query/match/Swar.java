package io.cordwood.query.match;

/** Eight bytes at once in a long. */
final class Swar {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private Swar() {}

  static long broadcast(byte value) {
    return (value & 0xFF) * ONES;
  }

  /**
   * The high bit of each byte that is zero. Exact for the lowest such byte; a byte of 1 right above
   * a zero byte may be reported too.
   */
  static long zeroBytes(long bytes) {
    return (bytes - ONES) & ~bytes & HIGHS;
  }

  /** The high bit of each byte that is zero, exact for all. */
  static long exactZeroBytes(long bytes) {
    return ~(((bytes & ~HIGHS) + ~HIGHS) | bytes | ~HIGHS);
  }
}

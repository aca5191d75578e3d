package io.cordwood.common.segment;

/**
 * Five consecutive bytes of a record, ASCII letters in lower case, and the 21-bit key they hash to.
 *
 * <p>A gram that holds a byte below 0x0B (NUL, TAB, LF, …) has no key: such bytes end records, and
 * what spans two records can be no match. The same rule holds when a block is marked and when a
 * literal is looked up, so a literal's keyed grams are always among the keys of a block that
 * contains it.
 */
final class Gram {
  static final int BYTES = 5;
  static final int KEY_BITS = 21;
  static final int KEYS = 1 << KEY_BITS;

  private static final long EACH = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long BELOW_A = (0x80 - 'A') * EACH;
  private static final long UP_TO_Z = (0x7F - 'Z') * EACH;
  private static final long FIRST_KEYED = 0x0B * EACH;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int TO_TOP = Long.SIZE - 8 * BYTES;
  private static final long BEYOND = -1L << (8 * BYTES);
  private static final int TO_KEY = Long.SIZE - KEY_BITS;

  private Gram() {}

  /**
   * The key of the literal's gram that starts at a position.
   *
   * @param at at most the literal's length minus {@link #BYTES}
   * @return -1 if the gram has no key
   */
  static int key(byte[] literal, int at) {
    long gram = 0;
    for (int i = at + BYTES - 1; i >= at; i--) {
      gram = (gram << 8) | (literal[i] & 0xFF);
    }
    long key = keyOrNone(fold(gram));
    return key == KEYS ? -1 : (int) key;
  }

  /**
   * The key of the gram in the low five of eight folded bytes, or {@link #KEYS} if it has none.
   * Without a branch, so that a loop of it becomes vector code.
   */
  static long keyOrNone(long folded) {
    long unkeyed = unkeyed(folded | BEYOND);
    long none = (unkeyed | -unkeyed) >> (Long.SIZE - 1);
    return (hash(folded << TO_TOP) & ~none) | (KEYS & none);
  }

  /** The high bit of bytes below 0x0B: exact up to the lowest such byte, and zero if none. */
  private static long unkeyed(long eight) {
    return (eight - FIRST_KEYED) & ~eight & HIGH;
  }

  /** Eight bytes with ASCII letters in lower case. */
  static long fold(long eight) {
    long low = eight & ~HIGH;
    long upperCase = ((low + BELOW_A) ^ (low + UP_TO_Z)) & ~eight & HIGH;
    return eight | (upperCase >>> 2);
  }

  private static long hash(long atTop) {
    return (atTop * MULTIPLIER) >>> TO_KEY;
  }
}

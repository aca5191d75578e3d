package io.cordwood.common.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

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

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long BELOW_A = (0x80 - 'A') * EACH;
  private static final long UP_TO_Z = (0x7F - 'Z') * EACH;
  private static final long FIRST_KEYED = 0x0B * EACH;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int TO_TOP = Long.SIZE - 8 * BYTES;
  private static final int TO_KEY = Long.SIZE - KEY_BITS;

  private Gram() {}

  /** Sets the bit of every key of the bytes in {@code keys}, a bitmap of {@link #KEYS} bits. */
  static void mark(byte[] bytes, int from, int to, long[] keys) {
    int at = from;
    while (at <= to - Long.BYTES) {
      long eight = (long) LITTLE_ENDIAN_LONG.get(bytes, at);
      long unkeyed = unkeyed(eight);
      if (unkeyed == 0) {
        long folded = fold(eight);
        set(keys, folded << 24);
        set(keys, (folded >>> 8) << 24);
        set(keys, (folded >>> 16) << 24);
        set(keys, (folded >>> 24) << 24);
        at += 4;
      } else {
        at += markUpTo(eight, unkeyed, keys);
      }
    }
    while (at < to) {
      long rest = upToSeven(bytes, at, to);
      at += markUpTo(rest, unkeyed(rest), keys);
    }
  }

  /**
   * The key of the literal's gram that starts at a position.
   *
   * @param at at most the literal's length minus {@link #BYTES}
   * @return -1 if the gram has no key
   */
  static int key(byte[] literal, int at) {
    long window = upToSeven(literal, at, at + BYTES);
    boolean unkeyed = Long.numberOfTrailingZeros(unkeyed(window)) < 8 * BYTES;
    return unkeyed ? -1 : (int) hash(fold(window) << TO_TOP);
  }

  /** Marks the grams in front of the first unkeyed byte and returns how far to go on behind it. */
  private static int markUpTo(long eight, long unkeyed, long[] keys) {
    int length = Long.numberOfTrailingZeros(unkeyed) / 8;
    long folded = fold(eight);
    for (int i = 0; i + BYTES <= length; i++) {
      set(keys, (folded >>> (8 * i)) << TO_TOP);
    }
    return length + 1;
  }

  /** The bytes as the low end of a long; what is missing is zero, which is unkeyed. */
  private static long upToSeven(byte[] bytes, int from, int to) {
    long value = 0;
    for (int i = to - 1; i >= from; i--) {
      value = (value << 8) | (bytes[i] & 0xFF);
    }
    return value;
  }

  /** The high bit of bytes below 0x0B: exact up to the lowest such byte, and zero if none. */
  private static long unkeyed(long eight) {
    return (eight - FIRST_KEYED) & ~eight & HIGH;
  }

  private static long fold(long eight) {
    long low = eight & ~HIGH;
    long upperCase = ((low + BELOW_A) ^ (low + UP_TO_Z)) & ~eight & HIGH;
    return eight | (upperCase >>> 2);
  }

  private static void set(long[] keys, long atTop) {
    long key = hash(atTop);
    keys[(int) (key >>> 6)] |= 1L << key;
  }

  private static long hash(long atTop) {
    return (atTop * MULTIPLIER) >>> TO_KEY;
  }
}

package io.cordwood.query.fields;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at eight bytes at once. */
final class Swar {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';
  private static final long EQUALS = ONES * '=';
  private static final long COLONS = ONES * ':';
  private static final long BRACES = ONES * '{';
  private static final long BEHIND_SPACE = ONES * (' ' + 1);

  private Swar() {}

  /** The first quote or backslash in [from, to); to if there is none. */
  static int quoteOrBackslash(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = (long) LONGS.get(bytes, i);
      long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < to && bytes[i] != '"' && bytes[i] != '\\') {
      i++;
    }
    return i;
  }

  /** The first white space or control character in [from, to), or equals sign; to if none is. */
  static int spaceOrEquals(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = (long) LONGS.get(bytes, i);
      long found = upToSpace(word) | zeros(word ^ EQUALS);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < to && bytes[i] != '=' && !isSpace(bytes[i])) {
      i++;
    }
    return i;
  }

  /** The first colon or equals sign in [from, to); to if there is none. */
  static int colonOrEquals(byte[] bytes, int from, int to) {
    return equalsOr(COLONS, bytes, from, to);
  }

  /** The first opening brace or equals sign in [from, to); to if there is none. */
  static int braceOrEquals(byte[] bytes, int from, int to) {
    return equalsOr(BRACES, bytes, from, to);
  }

  /** The first equals sign or byte of which others is made in [from, to); to if there is none. */
  private static int equalsOr(long others, byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = (long) LONGS.get(bytes, i);
      long found = zeros(word ^ others) | zeros(word ^ EQUALS);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < to && bytes[i] != (byte) others && bytes[i] != '=') {
      i++;
    }
    return i;
  }

  /** The first white space or control character in [from, to); to if there is none. */
  static int space(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long found = upToSpace((long) LONGS.get(bytes, i));
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < to && !isSpace(bytes[i])) {
      i++;
    }
    return i;
  }

  /**
   * The index of the quote that ends a string, from anywhere in it except after a backslash; -1 if
   * there is none.
   */
  static int closingQuote(byte[] bytes, int from, int to) {
    int at = Swar.quoteOrBackslash(bytes, from, to);
    while (at < to && bytes[at] == '\\') {
      at = Swar.quoteOrBackslash(bytes, Math.min(at + 2, to), to);
    }
    return at < to ? at : -1;
  }

  static boolean isSpace(byte value) {
    return value >= 0 && value <= ' ';
  }

  /** The high bits of zero bytes; only the lowest of them is sure to be one. */
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGHS;
  }

  /** The high bits of bytes from 0 to the space; only the lowest of them is sure to be one. */
  private static long upToSpace(long word) {
    return (word - BEHIND_SPACE) & ~word & HIGHS;
  }
}

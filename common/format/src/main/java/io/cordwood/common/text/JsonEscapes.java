package io.cordwood.common.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The escapes of JSON's strings, which logfmt's have as well. What is no such escape stands for
 * itself, and half of a pair of surrogates for U+FFFD. Bytes that are not UTF-8 stay as they are.
 */
public final class JsonEscapes {
  private static final int UNICODE_DIGITS = 4;
  private static final int UNICODE_BYTES = 2 + UNICODE_DIGITS;

  private JsonEscapes() {}

  /** The position of the quote that ends a string; -1 for none. */
  public static int end(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at < to ? at : -1;
  }

  /** The bytes that text between quotes stands for. */
  public static byte[] decode(byte[] bytes, int from, int to) {
    byte[] decoded = new byte[to - from];
    return Arrays.copyOf(decoded, decode(bytes, from, to, decoded, 0));
  }

  /**
   * Writes the bytes that text between quotes stands for, which are no more than it has.
   *
   * @param out null to write nothing
   * @return where what is written ends
   */
  public static int decode(byte[] bytes, int from, int to, byte @Nullable [] out, int outAt) {
    int written = outAt;
    int at = from;
    while (at < to) {
      byte next = bytes[at];
      int first = next == '\\' ? unit(bytes, at, to) : -1;
      if (first >= 0) {
        int second =
            Character.isHighSurrogate((char) first) ? unit(bytes, at + UNICODE_BYTES, to) : -1;
        boolean isPair = second >= 0 && Character.isLowSurrogate((char) second);
        int character = isPair ? Character.toCodePoint((char) first, (char) second) : first;
        written = putUtf8(out, written, character);
        at += isPair ? 2 * UNICODE_BYTES : UNICODE_BYTES;
      } else {
        int plain = next == '\\' && at + 1 < to ? plain(bytes[at + 1]) : -1;
        written = put(out, written, plain < 0 ? next : (byte) plain);
        at += plain < 0 ? 1 : 2;
      }
    }
    return written;
  }

  private static int plain(byte letter) {
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> -1;
    };
  }

  /** The unit of UTF-16 that is escaped at an index; -1 if none is. */
  private static int unit(byte[] bytes, int at, int to) {
    int digits = at + 2;
    if (digits + UNICODE_DIGITS > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = digits; i < digits + UNICODE_DIGITS; i++) {
      int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = 16 * unit + digit;
    }
    return unit;
  }

  private static int putUtf8(byte @Nullable [] out, int at, int character) {
    int c =
        character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE
            ? 0xFFFD
            : character;
    if (c < 0x80) {
      return put(out, at, (byte) c);
    }
    if (c < 0x800) {
      return put(out, put(out, at, (byte) (0xC0 | c >> 6)), low(c));
    }
    int next =
        c < 0x10000
            ? put(out, at, (byte) (0xE0 | (c >> 12)))
            : put(out, put(out, at, (byte) (0xF0 | (c >> 18))), low(c >> 12));
    return put(out, put(out, next, low(c >> 6)), low(c));
  }

  private static byte low(int c) {
    return (byte) (0x80 | (c & 0x3F));
  }

  private static int put(byte @Nullable [] out, int at, byte b) {
    if (out != null) {
      out[at] = b;
    }
    return at + 1;
  }
}

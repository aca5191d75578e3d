package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The escapes of JSON's strings, which logfmt's have as well. What is no such escape stands for
 * itself, and half of a pair of surrogates for U+FFFD. Bytes that are not UTF-8 stay as they are.
 */
final class Escapes {
  private static final int UNICODE_DIGITS = 4;

  private Escapes() {}

  /** The bytes that text between quotes stands for. */
  static byte[] decode(byte[] bytes, int from, int to) {
    byte[] decoded = new byte[to - from];
    int length = 0;
    int at = from;
    while (at < to) {
      byte next = bytes[at];
      if (next != '\\' || at + 1 == to) {
        decoded[length++] = next;
        at++;
      } else if (bytes[at + 1] == 'u' && unit(bytes, at, to) >= 0) {
        int first = unit(bytes, at, to);
        int second = Character.isHighSurrogate((char) first) ? unit(bytes, at + 6, to) : -1;
        boolean pair = second >= 0 && Character.isLowSurrogate((char) second);
        int character = pair ? Character.toCodePoint((char) first, (char) second) : first;
        length = put(character, decoded, length);
        at += pair ? 12 : 6;
      } else {
        int plain = plain(bytes[at + 1]);
        if (plain < 0) {
          decoded[length++] = next;
          at++;
        } else {
          decoded[length++] = (byte) plain;
          at += 2;
        }
      }
    }
    return Arrays.copyOf(decoded, length);
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

  /** An escape is longer than what it stands for, so there is room. */
  private static int put(int character, byte[] target, int at) {
    boolean half = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    byte[] encoded = Character.toString(half ? 0xFFFD : character).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(encoded, 0, target, at, encoded.length);
    return at + encoded.length;
  }
}

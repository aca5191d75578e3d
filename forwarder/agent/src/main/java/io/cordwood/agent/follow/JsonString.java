package io.cordwood.agent.follow;

import org.jspecify.annotations.Nullable;

/** The inside of a string in JSON, as it stands in bytes. */
final class JsonString {
  private static final int HEX_DIGITS = 4;
  private static final int UNKNOWN = 0xFFFD;

  private JsonString() {}

  /** The position of the quote that ends it; -1 for none. */
  static int end(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at < to ? at : -1;
  }

  /**
   * Writes it without its escapes, in no more bytes than it has.
   *
   * @param out null to write nothing
   * @return where what is written ends
   */
  static int unescape(byte[] bytes, int from, int to, byte @Nullable [] out, int outAt) {
    int written = outAt;
    int at = from;
    while (at < to) {
      if (bytes[at] != '\\' || at + 1 == to) {
        written = put(out, written, bytes[at++]);
      } else if (bytes[at + 1] != 'u') {
        written = put(out, written, plain(bytes[at + 1]));
        at += 2;
      } else {
        int unit = hex(bytes, at + 2, to);
        at += unit < 0 ? 2 : 2 + HEX_DIGITS;
        int c = unit < 0 ? UNKNOWN : unit;
        if (c >= 0xD800 && c < 0xE000) {
          boolean isPair = c < 0xDC00 && at + 1 < to && bytes[at] == '\\' && bytes[at + 1] == 'u';
          int low = isPair ? hex(bytes, at + 2, to) : -1;
          boolean isWhole = low >= 0xDC00 && low < 0xE000;
          at += isWhole ? 2 + HEX_DIGITS : 0;
          c = isWhole ? Character.toCodePoint((char) c, (char) low) : UNKNOWN;
        }
        written = putUtf8(out, written, c);
      }
    }
    return written;
  }

  private static byte plain(byte escaped) {
    return switch (escaped) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> escaped;
    };
  }

  private static int hex(byte[] bytes, int at, int to) {
    int value = at + HEX_DIGITS <= to ? 0 : -1;
    for (int i = 0; i < HEX_DIGITS && value >= 0; i++) {
      int digit = Character.digit(bytes[at + i], 16);
      value = digit < 0 ? -1 : value << 4 | digit;
    }
    return value;
  }

  private static int putUtf8(byte @Nullable [] out, int at, int c) {
    if (c < 0x80) {
      return put(out, at, (byte) c);
    }
    if (c < 0x800) {
      return put(out, put(out, at, (byte) (0xC0 | c >> 6)), low(c));
    }
    if (c < 0x10000) {
      int next = put(out, at, (byte) (0xE0 | (c >> 12)));
      return put(out, put(out, next, low(c >> 6)), low(c));
    }
    int next = put(out, put(out, at, (byte) (0xF0 | (c >> 18))), low(c >> 12));
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

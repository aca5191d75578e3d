package io.cordwood.query.fields;

import io.cordwood.query.fields.Quantity.Kind;
import io.cordwood.query.match.Matcher;
import java.util.Arrays;
import java.util.List;

/** A test of a value. Safe for many threads. */
sealed interface ValueTest {
  /** Tests a value's bytes, its escapes decoded. */
  boolean passes(byte[] bytes, int from, int to);

  /** Literals of which each value that passes holds one. */
  default EncodedLiterals encoded() {
    return EncodedLiterals.UNKNOWN;
  }

  /**
   * Is one of some texts.
   *
   * @param anyCase whether ASCII letters stand for both cases; they are in lower case then
   */
  record Equal(List<byte[]> texts, boolean anyCase) implements ValueTest {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      for (byte[] text : texts) {
        if (anyCase
            ? equalsAnyCase(text, bytes, from, to)
            : Arrays.equals(bytes, from, to, text, 0, text.length)) {
          return true;
        }
      }
      return false;
    }

    private static boolean equalsAnyCase(byte[] text, byte[] bytes, int from, int to) {
      int same = 0;
      while (same < text.length
          && from + same < to
          && text[same] == (byte) Letters.lower(bytes[from + same])) {
        same++;
      }
      return same == text.length && from + same == to;
    }

    @Override
    public EncodedLiterals encoded() {
      return new EncodedLiterals(texts, anyCase);
    }
  }

  /** Holds a match of a pattern. */
  record Holds(Matcher matcher, EncodedLiterals encoded) implements ValueTest {
    private static final byte LF = '\n';
    private static final byte NOT_UTF8 = (byte) 0xFF;

    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      byte[] ended = Arrays.copyOfRange(bytes, from, to + 1);
      int length = to - from;
      ended[length] = LF;
      boolean holdsLf = indexOf(ended, LF) < length;
      byte delimiter = holdsLf ? 0 : LF;
      if (holdsLf) { // A record has one of the two at most, but what escapes stand for has both.
        for (int at = indexOf(ended, (byte) 0); at >= 0; at = indexOf(ended, (byte) 0)) {
          ended[at] = NOT_UTF8;
        }
        ended[length] = 0;
      }
      return matcher.find(ended, 0, ended.length, delimiter) >= 0;
    }

    private static int indexOf(byte[] bytes, byte wanted) {
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == wanted) {
          return i;
        }
      }
      return -1;
    }
  }

  /** Which side of a bound values are on. */
  enum Side {
    BELOW,
    AT_MOST,
    ABOVE,
    AT_LEAST;

    boolean has(int compared) {
      return switch (this) {
        case BELOW -> compared < 0;
        case AT_MOST -> compared <= 0;
        case ABOVE -> compared > 0;
        case AT_LEAST -> compared >= 0;
      };
    }
  }

  /** Is a number on one side of another. */
  record OfNumber(Side side, double bound, Kind kind) implements ValueTest {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      double value = Quantity.parse(bytes, from, to, kind);
      return !Double.isNaN(value)
          && (value == bound ? side.has(0) : side.has(Double.compare(value, bound)));
    }
  }

  /** Is a text on one side of another, by their bytes. */
  record OfText(Side side, byte[] bound) implements ValueTest {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      return side.has(Arrays.compareUnsigned(bytes, from, to, bound, 0, bound.length));
    }
  }
}

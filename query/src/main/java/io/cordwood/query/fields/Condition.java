package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Quantity.Kind;
import io.cordwood.query.match.Matcher;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A condition on a field.
 *
 * @param orAbsent whether a record without the field is one, too
 * @param negated whether the value must not pass; a record without the field is none all the same
 */
record Condition(FieldPath field, boolean orAbsent, boolean negated, Test test) {
  /** A test of a value. Safe for many threads. */
  sealed interface Test {
    /** Tests a value's bytes, its escapes decoded. */
    boolean passes(byte[] bytes, int from, int to);

    /** Literals of which each value that passes holds one. */
    default EncodedLiterals encoded() {
      return EncodedLiterals.UNKNOWN;
    }
  }

  /** Is one of some texts. */
  record Equal(List<byte[]> texts) implements Test {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      for (byte[] text : texts) {
        if (Arrays.equals(bytes, from, to, text, 0, text.length)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public EncodedLiterals encoded() {
      return new EncodedLiterals(texts, false);
    }
  }

  /** Holds a match of a pattern. */
  record Holds(Matcher matcher, EncodedLiterals encoded) implements Test {
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
  record OfNumber(Side side, double bound, Kind kind) implements Test {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      double value = Quantity.parse(bytes, from, to, kind);
      return !Double.isNaN(value)
          && (value == bound ? side.has(0) : side.has(Double.compare(value, bound)));
    }
  }

  /** Is a text on one side of another, by their bytes. */
  record OfText(Side side, byte[] bound) implements Test {
    @Override
    public boolean passes(byte[] bytes, int from, int to) {
      return side.has(Arrays.compareUnsigned(bytes, from, to, bound, 0, bound.length));
    }
  }

  /** Whether a record is as it says. */
  boolean holds(FieldFinder record) {
    return record.find(field) ? record.valuePasses(test) != negated : orAbsent;
  }

  /** Whether a record without the field meets it, in a batch with these labels. */
  boolean holdsWithout(Labels labels) {
    String value = field.label(labels);
    if (value == null) {
      return orAbsent;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return test.passes(bytes, 0, bytes.length) != negated;
  }

  /** The condition of a record's own field, where it is known whether one without it meets it. */
  Condition whereAbsent(boolean holds) {
    return new Condition(field, holds, negated, test);
  }

  /**
   * Literals in each block with a record that meets this condition: one of each set. They are in
   * the record, or in the labels of its batch, which stand in the block's filter as name=value.
   */
  List<AnyOf> required() {
    if (field.isLabel()) {
      return orAbsent ? List.of() : LabelLiterals.required(field, negated ? null : test);
    }
    return Stream.of(value(), key()).flatMap(it -> it.required().stream()).toList();
  }

  /** The best literals to look for in order to find records that may meet this condition. */
  EncodedLiterals candidates() {
    return value().needles().isEmpty() ? key() : value();
  }

  private EncodedLiterals value() {
    return orAbsent || negated ? EncodedLiterals.UNKNOWN : test.encoded();
  }

  /** Parts of an access log's line have no names there. */
  private EncodedLiterals key() {
    return orAbsent || field.ofAccessLog() >= 0
        ? EncodedLiterals.UNKNOWN
        : new EncodedLiterals(List.of(field.longestKey()), false);
  }
}

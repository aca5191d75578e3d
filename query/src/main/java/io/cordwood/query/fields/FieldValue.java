package io.cordwood.query.fields;

import io.cordwood.common.text.JsonEscapes;
import java.util.Arrays;

/** The place of a field's value in a record; it is changed by each value that is found. */
final class FieldValue {
  private byte[] bytes = {};
  private int from;
  private int to;
  private boolean escaped;

  /** Always true: the value is found. */
  boolean set(byte[] record, int start, int end, boolean hasEscapes) {
    bytes = record;
    from = start;
    to = end;
    escaped = hasEscapes;
    return true;
  }

  /** The value's bytes, its escapes decoded; a copy. */
  byte[] decoded() {
    return escaped ? JsonEscapes.decode(bytes, from, to) : Arrays.copyOfRange(bytes, from, to);
  }

  /** Whether the value, as decoded, is one that is looked for. */
  boolean passes(ValueTest test) {
    if (escaped) {
      byte[] decoded = decoded();
      return test.passes(decoded, 0, decoded.length);
    }
    return test.passes(bytes, from, to);
  }

  int to() {
    return to;
  }

  /** The value as a number in a unit's kind; NaN if it is none. */
  double number() {
    if (escaped) {
      byte[] decoded = decoded();
      return Quantity.parse(decoded, 0, decoded.length, Quantity.Kind.PLAIN);
    }
    return Quantity.parse(bytes, from, to, Quantity.Kind.PLAIN);
  }

  boolean isEmptyOrNull() {
    boolean isNull = to - from == 4 && LevelForms.has(bytes, from, to, "null");
    return from == to || isNull;
  }

  boolean hasBracketOrQuote() {
    for (int at = from; at < to; at++) {
      if (Letters.isBracket(bytes[at]) || bytes[at] == '"') {
        return true;
      }
    }
    return false;
  }
}

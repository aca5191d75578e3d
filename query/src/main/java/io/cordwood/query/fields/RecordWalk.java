package io.cordwood.query.fields;

import io.cordwood.common.text.JsonEscapes;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the pairs and objects of a record in place, up to a value that names accept. For one
 * thread; reusable for any number of records.
 */
final class RecordWalk {
  private final FieldValue value;
  private byte[] bytes = {};
  private int from;
  private int to;

  /** The position at which the search in an object or array ended; -1 after an error. */
  private int reached;

  /** Whether the record has what stands beside each name; null if it was not looked for. */
  private @Nullable Boolean hasNames;

  /**
   * A walk that sets a value.
   *
   * @param value that is found
   */
  RecordWalk(FieldValue value) {
    this.value = value;
  }

  /** Turns to a record, without its delimiter. */
  void in(byte[] record, int start, int end) {
    bytes = record;
    from = start;
    to = end;
    hasNames = null;
  }

  /** The first place of the record that is no space. */
  int begin() {
    return behindSpace(from);
  }

  /** Most lines of text have neither pairs nor objects. */
  boolean mayHaveNames() {
    Boolean known = hasNames;
    if (known == null) {
      known = Swar.braceOrEquals(bytes, from, to) < to;
      hasNames = known;
    }
    return known;
  }

  /** The first place from there on that is no space. */
  private int behindSpace(int start) {
    int at = start;
    while (at < to && Swar.isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Whether an object begins here: a brace, and a quote or the other brace. */
  boolean isObject(int at) {
    if (at >= to || bytes[at] != '{') {
      return false;
    }
    int next = behindSpace(at + 1);
    return next < to && (bytes[next] == '"' || bytes[next] == '}');
  }

  /** Searches an object, after its opening brace. */
  private boolean inObject(FieldNames names, int index, int start) {
    int at = behindSpace(start);
    while (at < to && bytes[at] != '}') {
      if (bytes[at] == ',') {
        at = behindSpace(at + 1);
        continue;
      }
      if (bytes[at] != '"') {
        return fault();
      }
      int end = Swar.quoteOrBackslash(bytes, at + 1, to);
      int next;
      if (end < to && bytes[end] == '"') {
        next = names.behindKey(index, bytes, at + 1, end);
      } else {
        end = Swar.closingQuote(bytes, end, to);
        if (end < 0) {
          return fault();
        }
        byte[] key = JsonEscapes.decode(bytes, at + 1, end);
        next = key.length == 0 ? -1 : names.behindKey(index, key, 0, key.length);
      }
      int colon = behindSpace(end + 1);
      if (colon >= to || bytes[colon] != ':') {
        return fault();
      }
      int valueAt = behindSpace(colon + 1);
      if (next < 0) {
        reached = behindValue(valueAt);
      } else if (inValue(names, next, valueAt)) {
        return true;
      }
      if (reached < 0) {
        return false;
      }
      at = behindSpace(reached);
    }
    reached = at < to ? at + 1 : -1;
    return false;
  }

  /** Searches an array, after its opening bracket, for elements that names go on with. */
  private boolean inArray(FieldNames names, int index, int start) {
    int place = names.place(index);
    int at = behindSpace(start);
    for (int i = 0; at < to && bytes[at] != ']'; i++) {
      boolean isPlace = i == place || place == FieldNames.EACH_PLACE;
      int next = isPlace ? names.behindPlace(index, i) : -1;
      if (next < 0) {
        reached = behindValue(at);
      } else if (inValue(names, next, at)) {
        return true;
      }
      if (reached < 0) {
        return false;
      }
      at = behindSpace(reached);
      if (at < to && bytes[at] == ',') {
        at = behindSpace(at + 1);
      } else if (at < to && bytes[at] != ']') {
        return fault();
      }
    }
    reached = at < to ? at + 1 : -1;
    return false;
  }

  /** Takes a value if a name ends there, or looks farther in it. */
  private boolean inValue(FieldNames names, int index, int at) {
    if (at >= to) {
      return fault();
    }
    byte first = bytes[at];
    if (names.endsAt(index, first)) {
      reached = behindValue(at);
      if (reached < 0) {
        return false;
      }
      if (first == '"') {
        value.set(bytes, at + 1, reached - 1, hasEscapes(at + 1, reached - 1));
      } else {
        value.set(bytes, at, reached, false);
      }
      return names.accept(value, index);
    }
    if (!Letters.isBracket(first) || !names.goesInto(index, first)) {
      reached = behindValue(at);
      return false;
    }
    boolean isFound =
        first == '{' ? inObject(names, index + 1, at + 1) : inArray(names, index, at + 1);
    if (!isFound && reached < 0 && names.isErrorSkipped(index, first)) {
      reached = behindNested(at);
    }
    return isFound;
  }

  private boolean fault() {
    reached = -1;
    return false;
  }

  /** Whether text between quotes has escapes. Any other quote in it follows a backslash. */
  private boolean hasEscapes(int start, int end) {
    return Swar.quoteOrBackslash(bytes, start, end) < end;
  }

  /** The end of the value that begins here; -1 if it has none. */
  private int behindValue(int at) {
    if (at >= to) {
      return -1;
    }
    return switch (bytes[at]) {
      case '"' -> {
        int end = Swar.closingQuote(bytes, at + 1, to);
        yield end < 0 ? -1 : end + 1;
      }
      case '{', '[' -> behindNested(at);
      default -> {
        int end = at;
        while (end < to && !endsScalar(bytes[end])) {
          end++;
        }
        yield end == at || end == to ? -1 : end;
      }
    };
  }

  private static boolean endsScalar(byte value) {
    return value == ',' || value == '}' || value == ']' || Swar.isSpace(value);
  }

  /** Counts brackets instead of remembering which. */
  private int behindNested(int start) {
    int depth = 0;
    int at = start;
    while (at < to) {
      switch (bytes[at++]) {
        case '{', '[' -> depth++;
        case '}', ']' -> {
          depth--;
          if (depth == 0) {
            return at;
          }
        }
        case '"' -> {
          int end = Swar.closingQuote(bytes, at, to);
          if (end < 0) {
            return -1;
          }
          at = end + 1;
        }
        default -> {}
      }
    }
    return -1;
  }

  /** Looks at words with an equals sign, and at objects of JSON among them. */
  boolean inText(FieldNames names, int start) {
    int at = start;
    while (at < to) {
      if (bytes[at] == '{' && isObject(at)) {
        if (inObject(names, 0, at + 1)) {
          return true;
        }
        names.endObject();
        int end = reached < 0 ? behindNested(at) : reached;
        if (end < 0) {
          return false;
        }
        at = behindSpace(end);
        continue;
      }
      if (bytes[at] == '"') {
        int end = Swar.closingQuote(bytes, at + 1, to);
        at = behindSpace(end < 0 ? at + 1 : end + 1);
        continue;
      }
      int end = Swar.spaceOrEquals(bytes, at, to);
      if (end == to) {
        return false;
      }
      if (bytes[end] == '=' && end > at) {
        boolean wanted = names.isWhole(bytes, at, end);
        int next = behindPair(end + 1, wanted);
        if (wanted && next >= 0 && names.accept(value, end - at)) {
          return true;
        }
        if (next < 0) {
          return false;
        }
        at = behindSpace(next);
      } else {
        at = behindSpace(bytes[end] == '=' ? Swar.space(bytes, end, to) : end);
      }
    }
    return false;
  }

  /**
   * The end of the value after an equals sign, which is taken if it is wanted; -1 if it has no end.
   */
  private int behindPair(int start, boolean wanted) {
    if (start < to && bytes[start] == '"') {
      int end = Swar.closingQuote(bytes, start + 1, to);
      if (end >= 0 && wanted) {
        value.set(bytes, start + 1, end, hasEscapes(start + 1, end));
      }
      return end < 0 ? -1 : end + 1;
    }
    int end = Swar.space(bytes, start, to);
    if (wanted) {
      boolean listed = end > start && end < to && (bytes[end - 1] == ',' || bytes[end - 1] == ';');
      value.set(bytes, start, listed ? end - 1 : end, false);
    }
    return end;
  }
}

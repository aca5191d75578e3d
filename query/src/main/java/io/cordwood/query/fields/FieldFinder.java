package io.cordwood.query.fields;

import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a field of a record in place: it reads only the record's bytes up to the field, and keeps
 * nothing.
 *
 * <pre>
 *   {"user":{"id":17},"tags":["a"]}          JSON: user.id, tags[0]; user is the text of the object
 *   level=info dur=1.5s msg="it \"works\""   logfmt
 *   1.2.3.4 - - [time] "GET / HTTP/1.1" 200  an access log, see {@link AccessLog}; logfmt may follow
 *   text a=1 {"b":2} {} c=3                  fields in text: logfmt, and objects after a space
 * </pre>
 *
 * <p>If a name has several values, the first counts. A value without an end is not found, nor what
 * follows an error in an object, up to its last brace. Time is linear in the record for any bytes,
 * and the stack as deep as the name has parts.
 *
 * <p>For one thread; reusable for any number of records.
 */
public final class FieldFinder {
  private byte[] bytes = {};
  private int from;
  private int to;
  private final FieldValue value = new FieldValue();
  private Labels labels = Labels.NONE;

  /** The position at which the search in an object or array ended; -1 after an error. */
  private int reached;

  private @Nullable LineParts parts;

  /** Whether the record has what stands beside each name; null if it was not looked for. */
  private @Nullable Boolean hasNames;

  private final Extract.Run extracted;

  /** Finds what records call so. */
  public FieldFinder() {
    this(Extract.NONE);
  }

  /** Finds groups as well. */
  public FieldFinder(Extract extract) {
    this.extracted = extract.new Run();
  }

  /** Turns to a record, without its delimiter. */
  public FieldFinder in(byte[] record, int start, int end) {
    bytes = record;
    from = start;
    to = end;
    parts = null;
    hasNames = null;
    extracted.forget();
    return this;
  }

  /** The records that follow are of batches with these labels. */
  public FieldFinder of(Labels others) {
    labels = others;
    return this;
  }

  /** Whether the record has the field or label, which is the value then. */
  public boolean find(FieldPath path) {
    return (!path.isLabel() && findOwn(path)) || findLabel(path);
  }

  private boolean findLabel(FieldPath path) {
    String label = labels.isEmpty() ? null : path.label(labels);
    if (label == null) {
      return false;
    }
    byte[] text = label.getBytes(StandardCharsets.UTF_8);
    return value.set(text, 0, text.length, false);
  }

  /** Whether the record itself has the field, which is the value then. */
  boolean findOwn(FieldPath path) {
    LineField ofLine = path.ofLine();
    if (ofLine == null) {
      return findNamed(path);
    }
    return switch (ofLine) {
      case LEVEL -> findLevel(path);
      case TIME -> findNamed(path) || findTime();
      case THREAD, LOGGER -> findNamed(path) || parts().find(ofLine, bytes, value);
      case MESSAGE -> findNamed(path) || findMessage() || findLine();
    };
  }

  /** Whether the record has a field that it names, or a group. */
  private boolean findNamed(FieldPath path) {
    if (path.extracted() >= 0) {
      return extracted.find(path.extracted(), bytes, from, to, value);
    }
    int at = behindSpace(from);
    int part = path.ofAccessLog();
    if (part >= 0 && !isObject(at) && AccessLog.find(value, bytes, at, to, part)) {
      return true;
    }
    return mayHaveNames() && inText(path, at);
  }

  /** Most lines of text have neither pairs nor objects. */
  private boolean mayHaveNames() {
    Boolean known = hasNames;
    if (known == null) {
      known = Swar.braceOrEquals(bytes, from, to) < to;
      hasNames = known;
    }
    return known;
  }

  private boolean findLevel(FieldPath path) {
    Level level = level();
    byte[] word = level.bytes();
    return level == Level.NONE ? findNamed(path) : value.set(word, 0, word.length, false);
  }

  /** As {@link Level#of}. */
  Level level() {
    return Level.of(bytes, from, to);
  }

  /** Whether the record says its level, which is the value then as it is written. */
  boolean findWrittenLevel(FieldPath path) {
    if (findNamed(path)) {
      return true;
    }
    LevelFinder finder = Level.finder(bytes, from, to);
    finder.find();
    return finder.wordTo() > 0 && value.set(bytes, finder.wordFrom(), finder.wordTo(), false);
  }

  /** Finds the time that a record has: that with which its text begins, or one of a field. */
  boolean findTime() {
    return parts().find(LineField.TIME, bytes, value)
        || RecordNames.TIMES.stream().anyMatch(path -> findNamed(path) && isTime());
  }

  private boolean isTime() {
    return LineTime.isTime(new String(value.decoded(), StandardCharsets.UTF_8));
  }

  /** Finds the message: the value of a field, or what is left of a line of text. */
  boolean findMessage() {
    return isOneOf(RecordNames.MESSAGES)
        || (from < to && bytes[from] == '{' && isOneOf(RecordNames.MESSAGES_OF_JSON))
        || findRequest()
        || parts().find(LineField.MESSAGE, bytes, value);
  }

  private boolean findRequest() {
    return findNamed(RecordNames.REMOTE)
        && findNamed(RecordNames.STATUS)
        && findNamed(RecordNames.REQUEST);
  }

  private boolean isOneOf(List<FieldPath> names) {
    return names.stream().anyMatch(path -> findNamed(path) && !value.isEmptyOrNull());
  }

  /** A text without any form is its message. */
  private boolean findLine() {
    int at = behindSpace(from);
    return at < to
        && !isObject(at)
        && value.set(bytes, at, LineParts.endOfLine(bytes, at, to), false);
  }

  private LineParts parts() {
    LineParts known = parts;
    if (known == null) {
      known = isObject(behindSpace(from)) ? LineParts.NONE : LineParts.of(bytes, from, to);
      parts = known;
    }
    return known;
  }

  /** Gives a list all fields of the record. */
  void list(FieldList all, Extract extract) {
    int at = behindSpace(from);
    if (!isObject(at)) {
      AccessLog.list(value, bytes, at, to, all);
    }
    inText(all, at);
    Level level = level();
    if (level != Level.NONE) {
      all.replace(LineField.LEVEL.word(), level.word());
    }
    for (LineField each : List.of(LineField.THREAD, LineField.LOGGER)) {
      if (parts().find(each, bytes, value)) {
        all.add(each.word(), value, true);
      }
    }
    for (String name : extract.names()) {
      if (find(extract.path(name))) {
        all.replace(name, new String(value.decoded(), StandardCharsets.UTF_8));
      }
    }
  }

  /** The value's bytes, its escapes decoded; a copy. */
  public byte[] value() {
    return value.decoded();
  }

  /** Whether the value, as decoded, is one that is looked for. */
  boolean valuePasses(Condition.Test test) {
    return value.passes(test);
  }

  /** A field's value as a number in a unit's kind; NaN if there is none. */
  public double number(FieldPath path) {
    boolean isFound = (!path.isLabel() && findNamed(path)) || findLabel(path);
    return isFound ? value.number() : Double.NaN;
  }

  private int behindSpace(int start) {
    int at = start;
    while (at < to && Swar.isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Whether an object begins here: a brace, and a quote or the other brace. */
  private boolean isObject(int at) {
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
        byte[] key = Escapes.decode(bytes, at + 1, end);
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
    if (!FieldNames.isBracket(first) || !names.goesInto(index, first)) {
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
  private boolean inText(FieldNames names, int start) {
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

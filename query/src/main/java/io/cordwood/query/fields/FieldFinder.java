package io.cordwood.query.fields;

import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  private final RecordWalk walk = new RecordWalk(value);
  private Labels labels = Labels.NONE;

  private @Nullable LineParts parts;
  private @Nullable LevelSkimmer skimmer;

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
    walk.in(record, start, end);
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
    int at = walk.begin();
    int part = path.ofAccessLog();
    if (part >= 0 && !walk.isObject(at) && AccessLog.find(value, bytes, at, to, part)) {
      return true;
    }
    return walk.mayHaveNames() && walk.inText(path, at);
  }

  private boolean findLevel(FieldPath path) {
    Level level = level();
    byte[] word = level.bytes();
    return level == Level.NONE ? findNamed(path) : value.set(word, 0, word.length, false);
  }

  /** A copy of the record. */
  byte[] text() {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** As {@link LevelFinder#level}. */
  Level level() {
    LevelSkimmer known = skimmer;
    if (known == null) {
      known = new LevelSkimmer();
      skimmer = known;
    }
    return known.level(bytes, from, to);
  }

  /** Whether the record says its level, which is the value then as it is written. */
  boolean findWrittenLevel(FieldPath path) {
    if (findNamed(path)) {
      return true;
    }
    LevelFinder finder = LevelFinder.finder(bytes, from, to);
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
        || parts().find(LineField.MESSAGE, bytes, value)
        || findText();
  }

  /** A text with an object beside it is the message. */
  private boolean findText() {
    int end = parts == LineParts.NONE ? to : textEnd();
    return end < to
        && end > from
        && value.set(bytes, from, LineParts.endOfLine(bytes, from, end), false);
  }

  /**
   * The end of the text, which an object may stand beside, after two spaces:
   * docs/format/foreign.md.
   */
  private int textEnd() {
    if (to == from || bytes[to - 1] != '}') {
      return to;
    }
    for (int at = to - 1; at >= from + 2; at--) {
      if (bytes[at] == '{' && bytes[at - 1] == ' ' && bytes[at - 2] == ' ') {
        return at - 2;
      }
    }
    return to;
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
    int at = walk.begin();
    return at < to
        && !walk.isObject(at)
        && value.set(bytes, at, LineParts.endOfLine(bytes, at, textEnd()), false);
  }

  private LineParts parts() {
    LineParts known = parts;
    if (known == null) {
      known = walk.isObject(walk.begin()) ? LineParts.NONE : LineParts.of(bytes, from, textEnd());
      parts = known;
    }
    return known;
  }

  /** Gives a list all fields of the record. */
  void list(FieldList all, Extract extract) {
    int at = walk.begin();
    if (!walk.isObject(at)) {
      AccessLog.list(value, bytes, at, to, all);
    }
    walk.inText(all, at);
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
  boolean valuePasses(ValueTest test) {
    return value.passes(test);
  }

  /** A field's value as a number in a unit's kind; NaN if there is none. */
  public double number(FieldPath path) {
    boolean isFound = (!path.isLabel() && findNamed(path)) || findLabel(path);
    return isFound ? value.number() : Double.NaN;
  }
}

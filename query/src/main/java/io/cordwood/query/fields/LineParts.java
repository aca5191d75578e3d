package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The places of the parts of a line of text, see {@link LineForm}. */
final class LineParts {
  /** The rest of a line is not looked at. */
  private static final int LOOKED_AT = 1024;

  /** There are none. */
  static final LineParts NONE = new LineParts();

  /** {@link LevelFinder} takes the level. */
  private static final List<LineField> TAKEN =
      List.of(LineField.TIME, LineField.THREAD, LineField.LOGGER, LineField.MESSAGE);

  private static final byte ESCAPE = 0x1b;
  private static final byte LF = '\n';

  /** The first and the last index of each part. */
  private final Map<LineField, Range> ranges = new EnumMap<>(LineField.class);

  private LineParts() {}

  private record Range(int from, int to) {}

  /** Parts of a record that is given without its delimiter. */
  static LineParts of(byte[] bytes, int from, int to) {
    int line = LinePrefix.behind(bytes, from, to);
    LineParts parts = new LineParts();
    if (line < to && mayBegin(bytes, line, to)) {
      parts.read(bytes, line, to);
    }
    if (line > from) {
      parts.addPrefix(bytes, from, line, to);
    }
    return parts;
  }

  /** Whether there is a part, which is the value then. */
  boolean find(LineField field, byte[] bytes, FieldValue value) {
    Range range = ranges.get(field);
    return range != null && value.set(bytes, range.from, range.to, false);
  }

  /** Most texts begin with a word. */
  private static boolean mayBegin(byte[] bytes, int from, int to) {
    byte first = bytes[from];
    return Letters.isDigit(first)
        || (first >= 'A' && first <= 'Z')
        || "<[\u001b".indexOf(first) >= 0
        || LevelForms.has(bytes, from + 4, to, ": ");
  }

  private void read(byte[] bytes, int from, int to) {
    var view = new View(bytes, from, Math.min(to, from + LOOKED_AT));
    for (LineForm form : LineForm.ALL) {
      Matcher match = form.match(view.text);
      if (match != null) {
        for (LineField field : TAKEN) {
          add(field, form.group(field), match, view, bytes, to);
        }
        return;
      }
    }
  }

  private void add(LineField field, int group, Matcher matcher, View view, byte[] bytes, int to) {
    int begin = group == LineForm.NONE ? -1 : matcher.start(group);
    if (begin < 0) {
      return;
    }
    int from = view.index(begin);
    int end =
        field == LineField.MESSAGE ? endOfLine(bytes, from, to) : view.end(matcher.end(group));
    while (end > from && bytes[end - 1] == ' ') {
      end--;
    }
    while (from < end && bytes[from] == ' ') {
      from++;
    }
    boolean isHyphen = end == from + 1 && bytes[from] == '-' && field != LineField.MESSAGE;
    if (end > from && !isHyphen) {
      ranges.put(field, new Range(from, end));
    }
  }

  /** The end of the line that begins here, without what ends it. */
  static int endOfLine(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != LF) {
      end++;
    }
    return end > from && bytes[end - 1] == '\r' ? end - 1 : end;
  }

  /** Its time is that of the line, if it has none itself; a line without a form is a message. */
  private void addPrefix(byte[] bytes, int from, int line, int to) {
    if (Letters.isDigit(bytes[from])) {
      ranges.putIfAbsent(LineField.TIME, new Range(from, Swar.space(bytes, from, line)));
    }
    int end = endOfLine(bytes, line, to);
    if (end > line) {
      ranges.putIfAbsent(LineField.MESSAGE, new Range(line, end));
    }
  }

  /** A line without its colours for terminals, and where its characters are in the record. */
  private static final class View {
    private final String text;
    private final int from;
    private final int @Nullable [] indexes;

    View(byte[] bytes, int from, int to) {
      this.from = from;
      int at = from;
      while (at < to && bytes[at] != ESCAPE) {
        at++;
      }
      if (at == to) {
        this.text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        this.indexes = null;
        return;
      }
      byte[] plain = new byte[to - from];
      int[] all = new int[to - from + 1];
      int length = 0;
      for (at = from; at < to; ) {
        int next = bytes[at] == ESCAPE ? Letters.behindColour(bytes, at, to) : at;
        if (next > at + 1) {
          at = next;
          continue;
        }
        all[length] = at;
        plain[length++] = bytes[at++];
      }
      all[length] = to;
      this.text = new String(plain, 0, length, StandardCharsets.ISO_8859_1);
      this.indexes = all;
    }

    int index(int place) {
      return indexes == null ? from + place : indexes[place];
    }

    /** The end of a part that is not empty, or begins here. */
    int end(int place) {
      return place == 0 ? from : index(place - 1) + 1;
    }
  }
}

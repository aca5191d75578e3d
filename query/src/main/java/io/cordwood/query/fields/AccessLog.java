package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lines of web servers in the common and the combined format:
 *
 * <pre>
 *   remote ident user [time] "method path protocol" status size "referer" "agent"
 * </pre>
 *
 * Values are as they stand there; a dash is none.
 */
final class AccessLog {
  /** In the order of the line; the request stands for all three of its words. */
  private static final List<String> NAMES =
      List.of(
          "remote",
          "ident",
          "user",
          "time",
          "request",
          "status",
          "size",
          "referer",
          "agent",
          "method",
          "path",
          "protocol");

  private static final int TIME = 3;
  private static final int REQUEST = 4;
  private static final int REFERER = 7;
  private static final int METHOD = 9;

  private AccessLog() {}

  /** Which part has this name; -1 if none has. */
  static int position(byte[] name) {
    return NAMES.indexOf(new String(name, StandardCharsets.UTF_8));
  }

  /** Whether a record begins as such lines do. */
  static boolean isOne(byte[] bytes, int from, int to) {
    int at = from;
    for (int i = 0; i < TIME; i++) {
      int end = Swar.spaceOrEquals(bytes, at, to);
      if (end == at || end == to || bytes[end] != ' ') {
        return false;
      }
      at = end + 1;
    }
    return at < to && bytes[at] == '[';
  }

  /** Finds a part of a line that {@link #isOne}; false if it has none. */
  static boolean find(FieldFinder value, byte[] bytes, int from, int to, int position) {
    int wanted = position >= METHOD ? REQUEST : position;
    int at = from;
    for (int part = 0; at < to; part++) {
      int begin = at;
      byte close =
          part == TIME ? (byte) ']' : part == REQUEST || part >= REFERER ? (byte) '"' : (byte) ' ';
      if (close != ' ') {
        if (bytes[begin] != (close == ']' ? '[' : '"')) {
          return false;
        }
        begin++;
      }
      int end = end(bytes, begin, to, close);
      if (end < 0) {
        return false;
      }
      if (part == wanted) {
        return position >= METHOD
            ? ofRequest(value, bytes, begin, end, position - METHOD)
            : take(value, bytes, begin, end);
      }
      at = close == ' ' ? end + 1 : end + 2;
    }
    return false;
  }

  private static int end(byte[] bytes, int from, int to, byte close) {
    if (close == '"') {
      return FieldFinder.closingQuote(bytes, from, to);
    }
    int at = from;
    while (at < to && bytes[at] != close) {
      at++;
    }
    return at == to && close != ' ' ? -1 : at;
  }

  private static boolean ofRequest(FieldFinder value, byte[] bytes, int from, int to, int word) {
    int at = from;
    for (int i = 0; i < word; i++) {
      at = Swar.space(bytes, at, to) + 1;
    }
    return at < to && take(value, bytes, at, Swar.space(bytes, at, to));
  }

  private static boolean take(FieldFinder value, byte[] bytes, int from, int to) {
    boolean none = to <= from || (to - from == 1 && bytes[from] == '-');
    return !none && value.take(from, to, false);
  }
}

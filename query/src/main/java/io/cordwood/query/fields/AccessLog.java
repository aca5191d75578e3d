package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lines of web servers in the common and the combined format:
 *
 * <pre>
 *   remote ident user [time] "method path protocol" status size "referer" "agent"
 *   vhost:port remote ident ...
 * </pre>
 *
 * Values are as they stand there; a dash is none. The port has no name.
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
          "protocol",
          "vhost");

  /** In the order of the line, with the words of the request after it. */
  private static final int[] POSITIONS = {12, 0, 1, 2, 3, 4, 9, 10, 11, 5, 6, 7, 8};

  private static final int TIME = 3;
  private static final int REQUEST = 4;
  private static final int STATUS = 5;
  private static final int REFERER = 7;
  private static final int METHOD = 9;
  private static final int VHOST = 12;

  private AccessLog() {}

  /** Which part has this name; -1 if none has. */
  static int position(byte[] name) {
    return NAMES.indexOf(new String(name, StandardCharsets.UTF_8));
  }

  /** Gives a list all parts. What only begins as such lines do is found, but not listed. */
  static void list(FieldValue value, byte[] bytes, int from, int to, FieldList all) {
    boolean isLine = find(value, bytes, from, to, STATUS) && isStatus(value);
    for (int position : POSITIONS) {
      if (find(value, bytes, from, to, position)) {
        all.add(NAMES.get(position), value, isLine);
      }
    }
  }

  private static boolean isStatus(FieldValue value) {
    byte[] status = value.decoded();
    boolean isStatus = status.length == 3;
    for (byte digit : status) {
      isStatus &= LevelFinder.isDigit(digit);
    }
    return isStatus;
  }

  /** Finds a part of a line; false if it has none, or the record does not begin as lines do. */
  static boolean find(FieldValue value, byte[] bytes, int from, int to, int position) {
    if (bracket(bytes, from, to) >= 0) {
      return position != VHOST && ofLine(value, bytes, from, to, position);
    }
    int colon = from;
    while (colon < to && bytes[colon] != ':' && !Swar.isSpace(bytes[colon])) {
      colon++;
    }
    int remote = behindPort(bytes, colon, to);
    if (colon == from || remote < 0 || !hasRequest(bytes, remote, to)) {
      return false;
    }
    return position == VHOST
        ? take(value, bytes, from, colon)
        : ofLine(value, bytes, remote, to, position);
  }

  /** The index of the bracket after three words; -1 if there is none. */
  private static int bracket(byte[] bytes, int from, int to) {
    int at = from;
    for (int i = 0; i < TIME; i++) {
      int end = Swar.spaceOrEquals(bytes, at, to);
      if (end == at || end == to || bytes[end] != ' ') {
        return -1;
      }
      at = end + 1;
    }
    return at < to && bytes[at] == '[' ? at : -1;
  }

  /** The index after a colon, a number and a space; -1 if this is not what is there. */
  private static int behindPort(byte[] bytes, int colon, int to) {
    int at = colon + 1;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at > colon + 1 && at < to && bytes[colon] == ':' && bytes[at] == ' ' ? at + 1 : -1;
  }

  /** Whether a quote follows the brackets: other lines have a time of day before their words. */
  private static boolean hasRequest(byte[] bytes, int from, int to) {
    int open = bracket(bytes, from, to);
    int close = open < 0 ? -1 : end(bytes, open, to, (byte) ']');
    return close >= 0 && close + 2 < to && bytes[close + 1] == ' ' && bytes[close + 2] == '"';
  }

  private static boolean ofLine(FieldValue value, byte[] bytes, int from, int to, int position) {
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
      return Swar.closingQuote(bytes, from, to);
    }
    int at = from;
    while (at < to && bytes[at] != close) {
      at++;
    }
    return at == to && close != ' ' ? -1 : at;
  }

  private static boolean ofRequest(FieldValue value, byte[] bytes, int from, int to, int word) {
    int at = from;
    for (int i = 0; i < word; i++) {
      at = Swar.space(bytes, at, to) + 1;
    }
    return at < to && take(value, bytes, at, Swar.space(bytes, at, to));
  }

  private static boolean take(FieldValue value, byte[] bytes, int from, int to) {
    boolean none = to <= from || (to - from == 1 && bytes[from] == '-');
    return !none && value.set(bytes, from, to, false);
  }
}

package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lines of web servers in the common and the combined format:
 *
 * <pre>
 *   remote ident user [time] "method path protocol" status size "referer" "agent"
 *   vhost:port remote ident ...
 *   anything remote ident ...
 *   [time] "method path protocol" ...
 * </pre>
 *
 * Values are as they stand there; a dash is none. The port has no name.
 */
final class AccessLog {
  /** No part of a line. */
  static final int NONE = -1;

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

  /** A time that begins farther in a record is not looked for. */
  private static final int LOOKED_AT = 512;

  private static final int MAX_TIME = 64;

  private static final int TIME = 3;
  private static final int REQUEST = 4;
  private static final int STATUS = 5;
  private static final int REFERER = 7;
  private static final int METHOD = 9;
  private static final int VHOST = 12;

  private AccessLog() {}

  /** Which part has this name; {@link #NONE} if none has. */
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

  /** Finds a part of a line; false if it has none, or the record is none. */
  static boolean find(FieldValue value, byte[] bytes, int from, int to, int position) {
    int time = time(bytes, from, to);
    if (time < 0) {
      return false;
    }
    int remote = remote(bytes, from, time);
    if (position == VHOST) {
      int host = remote < 0 ? -1 : host(bytes, from, remote);
      return host >= 0 && take(value, bytes, host, colon(bytes, host, remote));
    } else if (position < TIME && remote < 0) {
      return false;
    }
    return remote < 0
        ? ofLine(value, bytes, time, to, position, TIME)
        : ofLine(value, bytes, remote, to, position, 0);
  }

  /**
   * The index of the bracket of a time, with a request after it: after three words, whatever is in
   * it, or anywhere if it is a time; -1 if there is none.
   */
  private static int time(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + LOOKED_AT);
    int words = 0;
    for (int at = from; at < end; at++) {
      boolean begins = bytes[at] == '[' && (at == from || bytes[at - 1] == ' ');
      if (begins && (words == TIME || isTime(bytes, at, to)) && hasRequest(bytes, at, to)) {
        return at;
      }
      words += bytes[at] == ' ' ? 1 : 0;
    }
    return -1;
  }

  private static boolean isTime(byte[] bytes, int at, int to) {
    return LevelForms.has(bytes, at + 1, to, "99/")
        && LevelForms.has(bytes, at + 7, to, "/9999:99:99:99");
  }

  /** Whether a quote follows the brackets: other lines have something else in them. */
  private static boolean hasRequest(byte[] bytes, int open, int to) {
    int close = end(bytes, open, Math.min(to, open + MAX_TIME), (byte) ']');
    return close >= 0 && LevelForms.has(bytes, close, to, "] \"");
  }

  /** The index at which the three words before a time begin; -1 if there are fewer. */
  private static int remote(byte[] bytes, int from, int time) {
    int at = time;
    for (int i = 0; i < TIME; i++) {
      if (at - 2 < from || bytes[at - 1] != ' ' || bytes[at - 2] == ' ') {
        return -1;
      }
      at--;
      while (at > from && bytes[at - 1] != ' ') {
        at--;
      }
    }
    return at;
  }

  /** The index of a host with its port, which is the word before another; -1 if it is none. */
  private static int host(byte[] bytes, int from, int remote) {
    int at = Math.max(from, remote - 1);
    while (at > from && bytes[at - 1] != ' ') {
      at--;
    }
    int colon = colon(bytes, at, remote);
    int digits = colon + 1;
    while (digits < remote && LevelFinder.isDigit(bytes[digits])) {
      digits++;
    }
    return colon > at && digits > colon + 1 && digits == remote - 1 ? at : -1;
  }

  private static int colon(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != ':') {
      at++;
    }
    return at;
  }

  private static boolean ofLine(
      FieldValue value, byte[] bytes, int from, int to, int position, int first) {
    int wanted = position >= METHOD ? REQUEST : position;
    int at = from;
    for (int part = first; at < to; part++) {
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

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
 *   [time] anything "method path protocol" ...
 * </pre>
 *
 * Values are as they stand there; a dash is none. The port has no name. A user after a dash and a
 * path may have blanks in them.
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

  /** The longest part between a time and its request. */
  private static final int MAX_BETWEEN = 64;

  private static final int REMOTE = 0;
  private static final int IDENT = 1;
  private static final int TIME = 3;
  private static final int REQUEST = 4;
  private static final int STATUS = 5;
  private static final int REFERER = 7;
  private static final int METHOD = 9;
  private static final int PATH = 10;
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
      isStatus &= Letters.isDigit(digit);
    }
    return isStatus;
  }

  /** Finds a part of a line; false if it has none, or the record is none. */
  static boolean find(FieldValue value, byte[] bytes, int from, int to, int position) {
    int time = time(bytes, from, to);
    if (time < 0) {
      return false;
    }
    if (position >= TIME && position != VHOST) {
      return ofLine(value, bytes, time, to, position);
    }
    int remote = remote(bytes, from, time);
    return remote >= 0 && ofSender(value, bytes, from, remote, time, position);
  }

  private static boolean ofSender(
      FieldValue value, byte[] bytes, int from, int remote, int time, int position) {
    if (position == VHOST) {
      int host = host(bytes, from, remote);
      return host >= 0 && take(value, bytes, host, colon(bytes, host, remote));
    }
    int ident = Swar.space(bytes, remote, time) + 1;
    int user = Swar.space(bytes, ident, time) + 1;
    if (position == REMOTE) {
      boolean isQuoted = bytes[ident - 2] == '"';
      return take(value, bytes, remote, isQuoted ? ident - 2 : ident - 1);
    }
    return position == IDENT
        ? take(value, bytes, ident, user - 1)
        : take(value, bytes, user, time - 1);
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
    return close >= 0
        && request(bytes, close + 1, to) >= 0
        && (bytes[close + 2] == '"' || isTime(bytes, open, to));
  }

  /** The index of the quote of a request after a time's bracket; -1 if there is none near it. */
  private static int request(byte[] bytes, int from, int to) {
    int quote = from;
    int end = Math.min(to, from + MAX_BETWEEN);
    while (quote < end && bytes[quote] != '"') {
      quote++;
    }
    return quote > from && quote < end && bytes[from] == ' ' && bytes[quote - 1] == ' '
        ? quote
        : -1;
  }

  /**
   * The index at which remote, ident and user begin; -1 if there are fewer words before the time.
   * They are three words, unless the first of three is no address: a user may have more words after
   * a dash.
   */
  private static int remote(byte[] bytes, int from, int time) {
    int user = wordBefore(bytes, from, time);
    int ident = wordBefore(bytes, from, user);
    int remote = wordBefore(bytes, from, ident);
    if (user >= 0 && !isDash(bytes, user) && !isAddress(bytes, remote, ident)) {
      int word = ident;
      int before = remote;
      while (before >= 0 && !isDash(bytes, word)) {
        word = before;
        before = wordBefore(bytes, from, word);
      }
      return before >= 0 ? before : remote;
    }
    return remote;
  }

  private static boolean isDash(byte[] bytes, int word) {
    return bytes[word] == '-' && bytes[word + 1] == ' ';
  }

  private static boolean isAddress(byte[] bytes, int from, int to) {
    for (int at = Math.max(from, 0); at < to; at++) {
      if (bytes[at] == '.' || bytes[at] == ':') {
        return true;
      }
    }
    return false;
  }

  /** The index of the word that ends before another word; -1 if there is none. */
  private static int wordBefore(byte[] bytes, int from, int next) {
    if (next - 2 < from || bytes[next - 1] != ' ' || bytes[next - 2] == ' ') {
      return -1;
    }
    int at = next - 1;
    while (at > from && bytes[at - 1] != ' ') {
      at--;
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
    while (digits < remote && Letters.isDigit(bytes[digits])) {
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

  /** Finds a part of a line from its time on. */
  private static boolean ofLine(FieldValue value, byte[] bytes, int from, int to, int position) {
    int wanted = position >= METHOD ? REQUEST : position;
    int at = from;
    for (int part = TIME; at < to; part++) {
      byte close =
          part == TIME ? (byte) ']' : part == REQUEST || part >= REFERER ? (byte) '"' : (byte) ' ';
      int begin = close == ' ' ? at : at + 1;
      int end = end(bytes, begin, to, close);
      if (end < 0 || (close == '"' && bytes[at] != '"')) {
        return false;
      }
      if (part == wanted) {
        return position >= METHOD
            ? ofRequest(value, bytes, begin, end, position)
            : take(value, bytes, begin, end);
      }
      at = close == ' ' ? end + 1 : part == TIME ? request(bytes, end + 1, to) : end + 2;
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

  /** The protocol is the last word, if it is one; a path may have blanks. */
  private static boolean ofRequest(FieldValue value, byte[] bytes, int from, int to, int position) {
    int path = Math.min(Swar.space(bytes, from, to) + 1, to);
    int last = to;
    while (last > path && bytes[last - 1] != ' ') {
      last--;
    }
    boolean hasProtocol = last > path && isProtocol(bytes, last, to);
    return switch (position) {
      case METHOD -> take(value, bytes, from, Swar.space(bytes, from, to));
      case PATH -> take(value, bytes, path, hasProtocol ? last - 1 : to);
      default -> hasProtocol && take(value, bytes, last, to);
    };
  }

  /** {@code HTTP/1.1}, {@code RTSP/1.0}. */
  private static boolean isProtocol(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= 'A' && bytes[at] <= 'Z') {
      at++;
    }
    return at > from && at + 1 < to && bytes[at] == '/' && Letters.isDigit(bytes[at + 1]);
  }

  private static boolean take(FieldValue value, byte[] bytes, int from, int to) {
    boolean none = to <= from || (to - from == 1 && bytes[from] == '-');
    return !none && value.set(bytes, from, to, false);
  }
}

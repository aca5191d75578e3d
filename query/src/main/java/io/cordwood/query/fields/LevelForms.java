package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Forms in which servers write the level without a field's name, other than in capitals. */
final class LevelForms {
  private static final int NUMBERS_OF_CLOCK = 3;
  private static final int MAX_PRIORITY = 191;

  /** From the role of a process of Redis to its mark. */
  private static final int REDIS_BYTES = 32;

  private static final Set<String> USUAL =
      Set.of("error", "err", "fatal", "warn", "warning", "info", "debug", "trace");

  private static final int SHORTEST_METHOD = 3;

  private static final Set<String> OF_RECORD_BEFORE =
      Set.of("STATEMENT", "DETAIL", "HINT", "CONTEXT", "QUERY", "LOCATION");

  private LevelForms() {}

  /** The level of klog and glog, Android, Redis and Tornado, whose lines begin with it. */
  static Level ofStart(byte[] bytes, int from, int to) {
    byte first = bytes[from];
    if (Letters.isDigit(first) || first == '[') {
      boolean isTornado = has(bytes, from + 2, to, " 9") && first == '[';
      return isTornado ? Level.ofLetter(bytes[from + 1]) : ofRedis(bytes, from, to);
    }
    boolean isGoogle =
        has(bytes, from + 1, to, "9999 99:") || has(bytes, from + 1, to, "99999999 99:");
    return isGoogle || isOfAndroid(bytes, from, to) ? Level.ofLetter(first) : Level.NONE;
  }

  /** {@code E/Activity(123): x} */
  private static boolean isOfAndroid(byte[] bytes, int from, int to) {
    int at = from + 2;
    if (!has(bytes, from + 1, to, "/")) {
      return false;
    }
    while (at < to && (Letters.isOfWord(bytes[at]) || bytes[at] == '.' || bytes[at] == '-')) {
      at++;
    }
    return at > from + 3 && at < to && (bytes[at] == '(' || bytes[at] == ':');
  }

  /** {@code 7:M 26 Nov 2026 10:00:00.123 # x} */
  private static Level ofRedis(byte[] bytes, int from, int to) {
    int at = Swar.space(bytes, from, to);
    if (at - from < 3 || bytes[at - 2] != ':' || "XCSM".indexOf(bytes[at - 1]) < 0) {
      return Level.NONE;
    }
    int end = Math.min(to, at + REDIS_BYTES);
    while (at < end && !has(bytes, at, end, ":99.999 ")) {
      at++;
    }
    return !has(bytes, at + 9, end, " ")
        ? Level.NONE
        : switch (bytes[at + 8]) {
          case '#' -> Level.WARN;
          case '*' -> Level.INFO;
          case '-', '.' -> Level.DEBUG;
          default -> Level.NONE;
        };
  }

  /**
   * The level that a word is.
   *
   * @param numbers how many words are before it, if each begins with a digit; else 0
   */
  static Level ofAnyWord(byte[] bytes, int from, int start, int end, int to, int numbers) {
    Level level = Level.ofWord(bytes, start, end);
    boolean isOne =
        level != Level.NONE
            && (isInCapitals(bytes, start, end)
                || (numbers >= NUMBERS_OF_CLOCK && isUsual(bytes, start, end, to)));
    if (isOne) {
      return level;
    }
    return ofWord(bytes, from, start, end, to, numbers > 0);
  }

  private static boolean isInCapitals(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] < 'A' || bytes[i] > 'Z') {
        return i > start + 1 && Letters.isDigit(bytes[i]);
      }
    }
    return end - start <= Level.MAX_LETTERS;
  }

  /**
   * The level of a word in any case by its surroundings, or of a letter after a time.
   *
   * @param behindNumbers whether each word before it begins with a digit
   */
  private static Level ofWord(
      byte[] bytes, int from, int start, int end, int to, boolean behindNumbers) {
    if (end - start == 1) {
      boolean apart = behindNumbers && bytes[start - 1] == ' ' && has(bytes, end, to, " ");
      boolean isLetter = apart && "FEWIDV".indexOf(bytes[start]) >= 0;
      return isLetter ? Level.ofLetter(bytes[start]) : Level.NONE;
    }
    if (end == to) {
      return Level.NONE;
    }
    return switch (bytes[end]) {
      case ']', '\t' -> within(bytes, from, start, end, to);
      case ' ' -> padded(bytes, from, start, end, to);
      case ':' -> beforeColon(bytes, from, start, end, to);
      default -> Level.NONE;
    };
  }

  /** Whether it is a word in any case that seldom begins a message, and stands by itself. */
  private static boolean isUsual(byte[] bytes, int start, int end, int to) {
    boolean isApart =
        bytes[start - 1] == ' ' && (end == to || bytes[end] == ' ' || has(bytes, end, to, ": "));
    return isApart
        && USUAL.contains(
            new String(bytes, start, end - start, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT));
  }

  /** {@code [error]}, {@code [core:error]}, and a word between tabs. */
  private static Level within(byte[] bytes, int from, int start, int end, int to) {
    int at = start - 1;
    if (at >= from && bytes[at] == ':' && bytes[end] == ']') {
      at--;
      while (at >= from && Letters.isOfWord(bytes[at])) {
        at--;
      }
    }
    boolean opens =
        bytes[end] == ']' ? isBracket(bytes, from, at) : at >= from && bytes[at] == '\t';
    if (!opens || Letters.isDigit(bytes[start])) {
      return Level.NONE;
    }
    boolean isOfMysql =
        is(bytes, start, end, "Note")
            || (is(bytes, start, end, "System") && has(bytes, end, to, "] [MY-"));
    return isOfMysql ? Level.INFO : Level.ofWord(bytes, start, end);
  }

  /** {@code [error ]}, and PHP's {@code PHP Fatal error:}. */
  private static Level padded(byte[] bytes, int from, int start, int end, int to) {
    int php = start - 4;
    boolean isOfPhp =
        php >= from
            && has(bytes, php, to, "PHP ")
            && (php == from || !Letters.isOfWord(bytes[php - 1]));
    if (isOfPhp) {
      return Level.ofWord(bytes, start, end);
    }
    int at = end;
    while (at < to && bytes[at] == ' ') {
      at++;
    }
    boolean isOne = isBracket(bytes, from, start - 1) && has(bytes, at, to, "]");
    return isOne && !Letters.isDigit(bytes[start]) ? Level.ofWord(bytes, start, end) : Level.NONE;
  }

  /** One that follows no word, as in {@code a[error]}. */
  private static boolean isBracket(byte[] bytes, int from, int at) {
    return at >= from && bytes[at] == '[' && (at == from || !Letters.isOfWord(bytes[at - 1]));
  }

  /**
   * {@code error: x} at the start, after another colon or a bracket; anywhere with two spaces, as
   * PostgreSQL and PHP write it.
   */
  private static Level beforeColon(byte[] bytes, int from, int start, int end, int to) {
    boolean wide = has(bytes, end, to, ":  ");
    if (wide && is(bytes, start, end, "LOG")) {
      return Level.INFO;
    }
    boolean isFirst =
        start == from
            || (start - 2 >= from
                && (has(bytes, start - 2, to, ": ") || has(bytes, start - 2, to, "] ")));
    boolean isOne = wide || (isFirst && has(bytes, end, to, ": "));
    return isOne && !Letters.isDigit(bytes[start]) ? Level.ofWord(bytes, start, end) : Level.NONE;
  }

  /** Whether a word names what PostgreSQL says of the record before: a statement, which is text. */
  static boolean isOfRecordBefore(byte[] bytes, int start, int end, int to) {
    return has(bytes, end, to, ":  ")
        && OF_RECORD_BEFORE.contains(
            new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
  }

  /**
   * The end of a request in quotes, {@code "GET /x?level=fatal HTTP/1.1"}, which begins after a
   * quote; its start if there is none.
   */
  static int afterRequest(byte[] bytes, int start, int to) {
    int at = start;
    while (at < to && bytes[at] >= 'A' && bytes[at] <= 'Z') {
      at++;
    }
    if (at < start + SHORTEST_METHOD || !has(bytes, at, to, " /")) {
      return start;
    }
    while (at < to && bytes[at] != '"') {
      at++;
    }
    return at;
  }

  /** The severity of {@code "s":"E","c":}. */
  static Level ofMongo(byte[] bytes, int value, int end, int to) {
    int at = end;
    while (at < to && (bytes[at] == '"' || bytes[at] == ',' || bytes[at] == ' ')) {
      at++;
    }
    boolean isShort = end == value + 1 || Letters.isDigit(bytes[end - 1]);
    boolean isOne = isShort && has(bytes, at - 1, to, "\"c\"");
    return isOne ? Level.ofLetter(bytes[value]) : Level.NONE;
  }

  /** The priority of syslog. */
  static Level ofPriority(byte[] bytes, int from, int to) {
    int at = from + 1;
    int priority = 0;
    while (at < to && at < from + 4 && Letters.isDigit(bytes[at])) {
      priority = 10 * priority + bytes[at++] - '0';
    }
    boolean isOne = bytes[from] == '<' && at > from + 1 && has(bytes, at, to, ">");
    return isOne && priority <= MAX_PRIORITY ? Level.ofSyslog(priority & 7) : Level.NONE;
  }

  static boolean contains(byte[] bytes, int from, int to, String text) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).contains(text);
  }

  private static boolean is(byte[] bytes, int start, int end, String word) {
    return end - start == word.length() && has(bytes, start, end, word);
  }

  /** Whether a text stands there, in which 9 is any digit. */
  static boolean has(byte[] bytes, int at, int to, String text) {
    boolean has = at >= 0 && at + text.length() <= to;
    for (int i = 0; has && i < text.length(); i++) {
      byte found = bytes[at + i];
      has = text.charAt(i) == '9' ? Letters.isDigit(found) : text.charAt(i) == found;
    }
    return has;
  }
}

package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The severity that a record gives itself: the value of a field such as {@code level}, else the
 * first word in capitals such as {@code ERROR}, within its first {@value #LOOKED_AT} bytes.
 */
public enum Level {
  ERROR(0, "fatal critical crit severe emerg panic alert error err 50 60"),
  WARN(1, "warning warn 40"),
  INFO(2, "info notice 30"),
  DEBUG(3, "debug trace fine finer finest 10 20"),
  NONE(4, "");

  /** The rest of a record is not looked at. */
  static final int LOOKED_AT = 400;

  private static final int LETTERS = Long.BYTES;
  private static final String[] KEYS = {"level", "lvl", "severity", "levelname"};
  private static final Map<Long, Level> BY_WORD = new HashMap<>();

  static {
    for (Level level : values()) {
      for (String word : level.words.split(" ", -1)) {
        byte[] letters = word.getBytes(StandardCharsets.US_ASCII);
        BY_WORD.put(packed(letters, 0, letters.length), level);
      }
    }
  }

  private final int position;
  private final String words;

  Level(int position, String words) {
    this.position = position;
    this.words = words;
  }

  /** Its place among the numbers of an answer; from 0 on. */
  public int position() {
    return position;
  }

  /** The level of a record, which is given without its delimiter. */
  public static Level of(byte[] bytes, int from, int end) {
    int to = Math.min(end, from + LOOKED_AT);
    Level first = NONE;
    int at = from;
    while (at < to) {
      if (!isOfWord(bytes[at])) {
        at = afterOther(bytes, at, to);
        continue;
      }
      int start = at;
      at = afterWord(bytes, at, to);
      if (isKey(bytes, start, at)) {
        Level value = value(bytes, at, to);
        if (value != NONE) {
          return value;
        }
      } else if (first == NONE && isInCapitals(bytes, start, at)) {
        first = BY_WORD.getOrDefault(packed(bytes, start, at), NONE);
      }
    }
    return first;
  }

  /** The place after a byte that is of no word, or after a colour for a terminal. */
  private static int afterOther(byte[] bytes, int at, int to) {
    if (bytes[at] == 0x1b && at + 1 < to && bytes[at + 1] == '[') {
      int end = at + 2;
      while (end < to && (isDigit(bytes[end]) || bytes[end] == ';' || bytes[end] == ':')) {
        end++;
      }
      return end < to && bytes[end] == 'm' ? end + 1 : at + 1;
    }
    return at + 1;
  }

  private static int afterWord(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isOfWord(bytes[at])) {
      at++;
    }
    return at;
  }

  private static boolean isKey(byte[] bytes, int from, int to) {
    for (String key : KEYS) {
      int start = to - key.length();
      int same = 0;
      while (start >= from
          && same < key.length()
          && lower(bytes[start + same]) == key.charAt(same)) {
        same++;
      }
      if (same == key.length()) {
        return true;
      }
    }
    return false;
  }

  /** The level that a key is followed by: {@code ":"warn"} or {@code =WARN}. */
  private static Level value(byte[] bytes, int from, int to) {
    int at = afterSpace(bytes, afterQuote(bytes, from, to), to);
    if (at == to || (bytes[at] != ':' && bytes[at] != '=')) {
      return NONE;
    }
    int start = afterQuote(bytes, afterSpace(bytes, at + 1, to), to);
    int end = afterWord(bytes, start, to);
    return end - start > LETTERS ? NONE : BY_WORD.getOrDefault(packed(bytes, start, end), NONE);
  }

  private static int afterQuote(byte[] bytes, int at, int to) {
    return at < to && bytes[at] == '"' ? at + 1 : at;
  }

  private static int afterSpace(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
      at++;
    }
    return at;
  }

  private static boolean isInCapitals(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 'A' || bytes[i] > 'Z') {
        return false;
      }
    }
    return to - from <= LETTERS;
  }

  private static long packed(byte[] bytes, int from, int to) {
    long letters = 0;
    for (int i = from; i < to; i++) {
      letters = letters << Byte.SIZE | lower(bytes[i]);
    }
    return letters;
  }

  private static boolean isOfWord(byte b) {
    int letter = lower(b);
    return (letter >= 'a' && letter <= 'z') || isDigit(b) || b == '_';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + 'a' - 'A' : b & 0xFF;
  }
}

package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The severity that a record gives itself, see {@link LevelFinder}. */
public enum Level {
  ERROR(
      0,
      "fatal critical crit severe emergency emerg panic alert error err 50 60"
          + " fail eror erro fata pani ftl"),
  WARN(1, "warning warn 40 wrn"),
  INFO(2, "info notice 30 information informational inf"),
  DEBUG(3, "debug trace fine finer finest 10 20 verbose dbug debu dbg trce trac trc vrb"),
  NONE(4, "");

  /** The rest of a record is not looked at. */
  static final int LOOKED_AT = 400;

  /** The longest word. */
  static final int MAX_LETTERS = 13;

  private static final Map<Long, Level> BY_WORD = new HashMap<>();

  static {
    for (Level level : values()) {
      for (String word : level.words.split(" ", -1)) {
        byte[] letters = word.getBytes(StandardCharsets.US_ASCII);
        BY_WORD.put(hash(letters, 0, letters.length), level);
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

  /** As it is written in answers: {@code error}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The level of a record, which is given without its delimiter. */
  public static Level of(byte[] bytes, int from, int end) {
    return new LevelFinder(bytes, from, Math.min(end, from + LOOKED_AT)).find();
  }

  /** By a word in any case, after which digits may follow, as in {@code DEBUG1}. */
  static Level ofWord(byte[] bytes, int from, int end) {
    int to = end;
    while (to > from && LevelFinder.isDigit(bytes[to - 1]) && !LevelFinder.isDigit(bytes[from])) {
      to--;
    }
    return to - from > MAX_LETTERS ? NONE : BY_WORD.getOrDefault(hash(bytes, from, to), NONE);
  }

  /** By the first letter of one. */
  static Level ofLetter(byte letter) {
    return switch (letter) {
      case 'F', 'E', 'C' -> ERROR;
      case 'W' -> WARN;
      case 'I' -> INFO;
      case 'D', 'T', 'V' -> DEBUG;
      default -> NONE;
    };
  }

  /** By a number of syslog. */
  static Level ofSyslog(int severity) {
    return severity < 4 ? ERROR : severity == 4 ? WARN : severity < 7 ? INFO : DEBUG;
  }

  private static long hash(byte[] bytes, int from, int to) {
    long hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 0x100_0000_01B3L + LevelFinder.lower(bytes[i]);
    }
    return hash;
  }
}

package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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

  /** The rest of a record is not looked at, but for the beginning of an object at its end. */
  static final int LOOKED_AT = 400;

  /** The longest word. */
  static final int MAX_LETTERS = 13;

  private static final List<byte[]> BYTES =
      Stream.of(values()).map(level -> level.word().getBytes(StandardCharsets.US_ASCII)).toList();

  /** More places than words, by the last bits of a hash; a word is at the first that was free. */
  private static final int PLACES = 256;

  private static final long[] HASHES = new long[PLACES];
  private static final Level[] OF_PLACE = new Level[PLACES];

  static {
    Arrays.fill(OF_PLACE, NONE);
    for (Level level : values()) {
      for (String word : level.words()) {
        byte[] letters = word.getBytes(StandardCharsets.US_ASCII);
        long hash = hash(letters, 0, letters.length);
        int place = place(hash);
        HASHES[place] = hash;
        OF_PLACE[place] = level;
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

  /** The words that records have for it, in small letters; digits may follow one. */
  public List<String> words() {
    return List.of(words.split(" ", -1));
  }

  /** The word's bytes; not to be changed. */
  byte[] bytes() {
    return BYTES.get(position);
  }

  /** By a word in any case, after which digits may follow, as in {@code DEBUG1}. */
  static Level ofWord(byte[] bytes, int from, int end) {
    int to = end;
    while (to > from && Letters.isDigit(bytes[to - 1]) && !Letters.isDigit(bytes[from])) {
      to--;
    }
    return to - from > MAX_LETTERS ? NONE : OF_PLACE[place(hash(bytes, from, to))];
  }

  /** The place of a word, or the free one that it would have. */
  private static int place(long hash) {
    int place = (int) (hash ^ (hash >>> 20) ^ (hash >>> 40)) & (PLACES - 1);
    while (HASHES[place] != hash && OF_PLACE[place] != NONE) {
      place = (place + 1) & (PLACES - 1);
    }
    return place;
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

  /** By a number of OpenTelemetry, each four of which have a name. */
  static Level ofOpenTelemetry(byte[] bytes, int from, int to) {
    int number = to - from > 2 ? 0 : bytes[to - 1] - '0';
    if (to - from == 2) {
      number += 10 * (bytes[from] - '0');
    }
    return number < 1 || number > 24
        ? NONE
        : number > 16 ? ERROR : number > 12 ? WARN : number > 8 ? INFO : DEBUG;
  }

  private static long hash(byte[] bytes, int from, int to) {
    long hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 0x100_0000_01B3L + Letters.lower(bytes[i]);
    }
    return hash;
  }
}

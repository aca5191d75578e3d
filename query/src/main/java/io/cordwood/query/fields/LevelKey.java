package io.cordwood.query.fields;

/**
 * A word that is the name of a field with the level: which of several counts, and what stands
 * there.
 */
final class LevelKey {
  /** The name itself, beside which no other counts. */
  static final int FIRST = 0;

  /** {@code severity}. */
  static final int SECOND = 1;

  private static final int OTHER = 2;

  /** A longer name, a field of an object within, or text within quotes. */
  static final int LAST = 3;

  /** No field has it. */
  static final int NO_KEY = 4;

  private static final String[] OTHERS = {
    "lvl", "levelname", "level_name", "severity_text", "severitytext", "loglevel"
  };

  /** For the last bits of two bytes, whether they may be the last ones before a sign. */
  private static final boolean[] MAY_END = new boolean[1 << 10];

  static {
    for (String end : new String[] {"el", "vl", "ty", "me", "xt", "er", "@l", "\"s"}) {
      MAY_END[pair((byte) end.charAt(0), (byte) end.charAt(1))] = true;
    }
    for (byte b = 0; b < 32; b++) {
      for (byte other : new byte[] {' ', '\t', '"', '\'', '\\'}) {
        MAY_END[pair(b, other)] = true;
      }
    }
  }

  private LevelKey() {}

  private static int pair(byte first, byte second) {
    return (first & 31) << 5 | (second & 31);
  }

  /**
   * How much the word counts as a name.
   *
   * @param quoted whether a quote has begun before it
   * @param depth of the objects around it
   */
  static int rank(byte[] bytes, int from, int start, int end, boolean quoted, int depth) {
    int rank = rankOfName(bytes, from, start, end);
    if (rank == NO_KEY || isOfUrl(bytes, from, start)) {
      return isShort(bytes, from, start, end) ? OTHER : NO_KEY;
    }
    return depth > 1 || (quoted && !isWholeQuote(bytes, from, start, end)) ? LAST : rank;
  }

  /** Whether such a word may be the name before a colon or an equals sign. */
  static boolean isBefore(byte[] bytes, int from, int sign) {
    if (sign - from < 2 || !MAY_END[pair(bytes[sign - 2], bytes[sign - 1])]) {
      return false;
    }
    int end = sign;
    while (end > from
        && !Letters.isOfWord(bytes[end - 1])
        && " \t\"'\\".indexOf(bytes[end - 1]) >= 0) {
      end--;
    }
    int word = end;
    while (word > from && Letters.isOfWord(bytes[word - 1])) {
      word--;
    }
    return word < end && rank(bytes, from, word, end, false, 0) != NO_KEY;
  }

  private static int rankOfName(byte[] bytes, int from, int start, int end) {
    switch (Letters.lower(bytes[end - 1])) {
      case 'l', 'y', 'e', 't' -> {}
      case 'r' -> {
        return isSeverityNumber(bytes, start, end) ? OTHER : NO_KEY;
      }
      default -> {
        return NO_KEY;
      }
    }
    if (ends(bytes, start, end, "level")) {
      return end - start == 5 && isWhole(bytes, from, start) ? FIRST : LAST;
    } else if (ends(bytes, start, end, "severity")) {
      return end - start == 8 ? SECOND : LAST;
    }
    int rank = NO_KEY;
    for (String name : OTHERS) {
      if (ends(bytes, start, end, name)) {
        rank = end - start == name.length() ? OTHER : LAST;
      }
    }
    return rank;
  }

  /** Whether it is a parameter of a URL, which says nothing of the record. */
  private static boolean isOfUrl(byte[] bytes, int from, int start) {
    return start > from && (bytes[start - 1] == '?' || bytes[start - 1] == '&');
  }

  /** Whether nothing is before the name, or {@code log.} is. */
  private static boolean isWhole(byte[] bytes, int from, int start) {
    boolean isPart = start > from && (bytes[start - 1] == '.' || bytes[start - 1] == '-');
    return !isPart || (start - 4 >= from && ends(bytes, start - 4, start, "log."));
  }

  /** Whether a number may be a level: not of what only ends so, which may be anything's. */
  static boolean takesNumbers(byte[] bytes, int from, int start, int end, int rank) {
    boolean isEscaped = bytes[end] == '\\';
    return rank < LAST || (isEscaped && rankOfName(bytes, from, start, end) < LAST);
  }

  /** {@code PRIORITY} of the journal, {@code @l} of Serilog, and {@code s} of MongoDB. */
  private static boolean isShort(byte[] bytes, int from, int start, int end) {
    if (start == from) {
      return false;
    }
    byte before = bytes[start - 1];
    return switch (end - start) {
      case 1 ->
          before == '@' ? Letters.lower(bytes[start]) == 'l' : before == '"' && bytes[start] == 's';
      case 8 -> before == '"' && isPriority(bytes, start, end);
      default -> false;
    };
  }

  /** OpenTelemetry's. */
  static boolean isSeverityNumber(byte[] bytes, int start, int end) {
    return (end - start == 15 && ends(bytes, start, end, "severity_number"))
        || (end - start == 14 && ends(bytes, start, end, "severitynumber"));
  }

  static boolean isPriority(byte[] bytes, int start, int end) {
    return end - start == 8 && bytes[start] == 'P' && ends(bytes, start, end, "priority");
  }

  /** Whether the quotes around it hold nothing but a name. */
  private static boolean isWholeQuote(byte[] bytes, int from, int start, int end) {
    int at = start - 1;
    while (at > from && (Letters.isOfWord(bytes[at]) || ".@-$".indexOf(bytes[at]) >= 0)) {
      at--;
    }
    return at >= from && bytes[at] == '"' && (bytes[end] == '"' || bytes[end] == '\\');
  }

  private static boolean ends(byte[] bytes, int from, int to, String name) {
    int start = to - name.length();
    int same = 0;
    while (start >= from
        && same < name.length()
        && Letters.lower(bytes[start + same]) == name.charAt(same)) {
      same++;
    }
    return same == name.length();
  }
}

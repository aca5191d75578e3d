package io.cordwood.query.fields;

/**
 * Finds what a record says of its level, within its first {@value Level#LOOKED_AT} bytes, and those
 * of an object beside its text; in fields of an object of JSON within {@value #MAX_OBJECT}. The
 * form that stands first here counts:
 *
 * <pre>
 *   level=warn  "level":"warn"  "log.level":40     the field level
 *   severity=warn  lvl=W  "severity_number":13     other names of it, see {@link LevelKey}
 *   app_level=warn  {"a":{"level":"warn"}}         names that end so, fields of objects within
 *   12:00 WARN x  [warn] x  [a:warn] x  warn: x    the first word in capitals, or in brackets, or
 *   W1126 12:00:00 x  W/a: x  7:M … # x            before a colon, and letters and marks of servers
 *   2026-11-26 12:00:00 warn x                     one right after a time
 *   &lt;12&gt;x                                           the priority of syslog
 * </pre>
 *
 * <p>For one record, and one thread.
 */
public final class LevelFinder {
  /** A longer object beside a text is not looked at. */
  private static final int MAX_BESIDE = 4 << 10;

  /** Before the level of an object may be its message, which is long. */
  private static final int MAX_OBJECT = 8 << 10;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int end;
  private Level ofKey = Level.NONE;
  private int rank = LevelKey.NO_KEY;
  private boolean quoted;
  private int depth;
  private int wordFrom;
  private int wordTo;

  /**
   * @param to where it is looked at up to
   * @param end of the record
   */
  LevelFinder(byte[] bytes, int from, int to, int end) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.end = end;
  }

  /** The level of a record, which is given without its delimiter. */
  public static Level level(byte[] bytes, int from, int end) {
    return finder(bytes, from, end).find();
  }

  /** Finds it, in what follows a prefix. */
  static LevelFinder finder(byte[] bytes, int from, int end) {
    int to = Math.min(end, from + Level.LOOKED_AT);
    return new LevelFinder(bytes, LinePrefix.behind(bytes, from, to), to, end);
  }

  Level find() {
    Level found = findBefore();
    if (rank == LevelKey.NO_KEY && to < end && bytes[from] == '{' && bytes[end - 1] == '}') {
      var later = new LevelFinder(bytes, from, Math.min(end, from + MAX_OBJECT), end);
      if (later.findKey() != Level.NONE) {
        take(later.ofKey, later.wordFrom, later.wordTo);
        return later.ofKey;
      }
    }
    if (rank <= LevelKey.SECOND || to == end || bytes[end - 1] != '}') {
      return found;
    }
    int at = beside();
    if (at == end) {
      return found;
    }
    var beside = new LevelFinder(bytes, at, Math.min(end, at + Level.LOOKED_AT), end);
    var _ = beside.findBefore();
    if (beside.ofKey == Level.NONE) {
      return found;
    }
    take(beside.ofKey, beside.wordFrom, beside.wordTo);
    return beside.ofKey;
  }

  /** The level of a field of the object that the record is, whatever its texts say. */
  private Level findKey() {
    for (int at = from; at < to && rank > LevelKey.SECOND; at++) {
      switch (bytes[at]) {
        case '"' -> {
          int close = endOfText(at + 1);
          if (depth == 1 && close > at + 1 && close < to) {
            quoted = true;
            var _ = isKey(startOfWord(close), close);
          }
          at = close;
        }
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
    }
    return rank < LevelKey.LAST ? ofKey : Level.NONE;
  }

  private int endOfText(int start) {
    int at = start;
    while (at < to && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, to);
  }

  private int startOfWord(int end) {
    int start = end;
    while (Letters.isOfWord(bytes[start - 1])) {
      start--;
    }
    return start;
  }

  /** The place of the object beside a text, docs/format/foreign.md; the end if there is none. */
  private int beside() {
    for (int at = end - 1; at >= Math.max(from + 2, end - MAX_BESIDE); at--) {
      if (bytes[at] == '{' && bytes[at - 1] == ' ' && bytes[at - 2] == ' ') {
        return at;
      }
    }
    return end;
  }

  private Level findBefore() {
    Level first = from < to ? LevelForms.ofStart(bytes, from, to) : Level.NONE;
    int letter = first != Level.NONE && bytes[from] == '[' ? from + 1 : from;
    take(first, letter, letter + 1);
    int words = 0;
    int numbers = 0;
    int at = from;
    while (at < to && rank > LevelKey.FIRST) {
      if (!Letters.isOfWord(bytes[at])) {
        at = afterOther(at);
        continue;
      }
      int start = at;
      at = afterWord(at);
      if (Letters.isDigit(bytes[start])
          && Letters.isDigit(bytes[at - 1])) { // No name, and no level by itself.
        words++;
        numbers++;
        continue;
      }
      if (isKey(start, at)) {
        words++;
        continue;
      }
      if (first == Level.NONE) {
        if (LevelForms.isOfRecordBefore(bytes, start, at, to)) {
          break;
        }
        first = LevelForms.ofAnyWord(bytes, from, start, at, to, words == numbers ? numbers : 0);
        take(first, start, at);
        if (first != Level.NONE && (LevelForms.has(bytes, at, to, ":  ") || !hasKey(at))) {
          break;
        }
      }
      words++;
      numbers += Letters.isDigit(bytes[start]) ? 1 : 0;
    }
    if (ofKey != Level.NONE) {
      return ofKey;
    }
    return first != Level.NONE || from == to ? first : LevelForms.ofPriority(bytes, from, to);
  }

  /** The index of the word that was found to be the level. */
  int wordFrom() {
    return wordFrom;
  }

  int wordTo() {
    return wordTo;
  }

  private void take(Level level, int start, int end) {
    if (level != Level.NONE) {
      wordFrom = start;
      wordTo = end;
    }
  }

  /** Whether there may be a name from here on: only few texts have what must follow one. */
  private boolean hasKey(int start) {
    for (int at = Swar.colonOrEquals(bytes, start, to);
        at < to;
        at = Swar.colonOrEquals(bytes, at + 1, to)) {
      if (LevelKey.isBefore(bytes, start, at)) {
        return true;
      }
    }
    return false;
  }

  /** The place after a byte that is of no word, or after a colour for a terminal. */
  private int afterOther(int at) {
    switch (bytes[at]) {
      case '"' -> {
        quoted ^= at == from || bytes[at - 1] != '\\';
        return LevelForms.afterRequest(bytes, at + 1, to);
      }
      case '{' -> depth++;
      case '}' -> depth--;
      case 0x1b -> {
        return Letters.behindColour(bytes, at, to);
      }
      default -> {}
    }
    return at + 1;
  }

  private int afterWord(int start) {
    int at = start;
    while (at < to && Letters.isOfWord(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Whether a word is a name, whose level is kept if it counts more than the one before. */
  private boolean isKey(int start, int end) {
    int found = end == to ? LevelKey.NO_KEY : LevelKey.rank(bytes, from, start, end, quoted, depth);
    if (found == LevelKey.NO_KEY) {
      return false;
    }
    Level level = found < rank ? value(start, end, found) : Level.NONE;
    if (level != Level.NONE) {
      ofKey = level;
      rank = found;
      int value = afterQuote(afterSpace(afterSpace(afterQuote(end)) + 1));
      take(level, value, afterWord(value));
    }
    return true;
  }

  /** The level that a name is followed by: {@code ":"warn"} or {@code =WARN}. */
  private Level value(int key, int end, int keyRank) {
    int behind = afterQuote(end);
    int at = afterSpace(behind);
    if (at == to || (bytes[at] != ':' && bytes[at] != '=')) {
      return Level.NONE;
    }
    int value = afterQuote(afterSpace(at + 1));
    int valueEnd = afterWord(value);
    if (valueEnd == value) {
      return Level.NONE;
    }
    boolean isField = behind > end || bytes[at] == '=';
    if (Letters.isDigit(bytes[value])) {
      boolean isOne = isField && LevelKey.takesNumbers(bytes, from, key, end, keyRank);
      return isOne ? ofNumber(key, end, value, valueEnd) : Level.NONE;
    } else if (end - key == 1 && bytes[key] == 's') {
      return LevelForms.ofMongo(bytes, value, valueEnd, to);
    }
    byte letter = (byte) (bytes[value] & ~0x20);
    return valueEnd - value == 1 && isField
        ? Level.ofLetter(letter)
        : Level.ofWord(bytes, value, valueEnd);
  }

  /** Many loggers have 10 to 60, and syslog 0 to 7, which counts where something says so. */
  private Level ofNumber(int key, int end, int value, int valueEnd) {
    if (LevelKey.isSeverityNumber(bytes, key, end)) {
      return Level.ofOpenTelemetry(bytes, value, valueEnd);
    }
    boolean isSyslog = valueEnd - value == 1 && bytes[value] <= '7';
    boolean isKnown =
        LevelKey.isPriority(bytes, key, end)
            || (isSyslog && LevelForms.contains(bytes, from, to, "\"short_message\""));
    return isSyslog && isKnown
        ? Level.ofSyslog(bytes[value] - '0')
        : Level.ofWord(bytes, value, valueEnd);
  }

  private int afterQuote(int start) {
    int at = start < to && bytes[start] == '\\' ? start + 1 : start;
    return at < to && (bytes[at] == '"' || bytes[at] == '\'') ? at + 1 : start;
  }

  private int afterSpace(int start) {
    int at = start;
    while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
      at++;
    }
    return at;
  }
}

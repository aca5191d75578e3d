package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time with which a text begins, and where its message begins: after the time, and after the
 * level if that is next.
 *
 * <pre>
 *   2026-11-26T10:00:00.123Z INFO [main] shop: order taken
 *   ╰────────── time ──────╯      ╰────── message ───────╯
 * </pre>
 *
 * @param time as it is written; empty if the text does not begin with one
 * @param message the index at which the message begins; 0 without a time
 */
record RecordHead(String time, int message) {
  /** A time ends within that many bytes, or is not found. */
  private static final int LOOKED_AT = 128;

  private static final RecordHead NONE = new RecordHead("", 0);

  private static final String CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?";
  private static final String ZONE = "(?: ?(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)(?!\\w))?";
  private static final String DATED = "\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]" + CLOCK + ZONE;
  private static final String OF_SYSLOG =
      "(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \\d]\\d " + CLOCK + "(?: \\d{4}(?!\\S))?";
  private static final String OF_SERVER = "\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d" + ZONE;
  private static final String SINCE_1970 = "\\d{9,10}(?:\\.\\d{1,9})?|\\d{13}|\\d{16}|\\d{19}";

  private static final Pattern VALUE =
      Pattern.compile(String.join("|", DATED, OF_SYSLOG, OF_SERVER, CLOCK, SINCE_1970));

  private static final String COLOURS = "(?:\u001b\\[[\\d;:]*m)*";

  /** A priority of syslog may stand before it, or a bracket. */
  private static final Pattern BEGIN =
      Pattern.compile(
          "(?:<\\d{1,3}>(?:1 )?)?%s\\[?(?<time>%s)(?!\\w)%s]?"
              .formatted(COLOURS, String.join("|", DATED, OF_SYSLOG, OF_SERVER, CLOCK), COLOURS));

  private static final Pattern BETWEEN = Pattern.compile("[ \t|:,-]*");

  private static final Pattern WORD =
      Pattern.compile("%s[\\[(<]?(\\w{1,14})[])>]?%s:?(?!\\S)".formatted(COLOURS, COLOURS));

  static RecordHead of(byte[] bytes, int from, int to) {
    if (to - from < 8 || !mayBegin(bytes[from])) {
      return NONE;
    }
    int end = Math.min(to, from + LOOKED_AT);
    String head = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    Matcher begin = BEGIN.matcher(head);
    if (!begin.lookingAt()) {
      return NONE;
    }
    int at = after(BETWEEN, head, begin.end());
    Matcher word = WORD.matcher(head).region(at, head.length());
    if (word.lookingAt() && isLevel(word.group(1))) {
      at = after(BETWEEN, head, word.end());
    }
    return new RecordHead(begin.group("time"), at);
  }

  /** Whether the value of a field is a time. */
  static boolean isTime(String value) {
    return value.length() < LOOKED_AT && VALUE.matcher(value).matches();
  }

  /** Most texts begin with a word. */
  private static boolean mayBegin(byte first) {
    return LevelFinder.isDigit(first)
        || (first >= 'A' && first <= 'Z')
        || "<[\u001b".indexOf(first) >= 0;
  }

  private static int after(Pattern pattern, String text, int at) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    return matcher.lookingAt() ? matcher.end() : at;
  }

  private static boolean isLevel(String word) {
    byte[] letters = word.getBytes(StandardCharsets.ISO_8859_1);
    return Level.ofWord(letters, 0, letters.length) != Level.NONE;
  }
}

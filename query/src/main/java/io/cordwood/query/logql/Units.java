package io.cordwood.query.logql;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers, durations and sizes. */
final class Units {
  private static final Pattern PLAIN = Pattern.compile("\\d+(\\.\\d*)?([eE][+-]?\\d+)?|\\.\\d+");
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h|d|w|y)");
  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)([kKmMgGtT]?)(i?)[bB]");
  private static final String PREFIXES = "kmgt";

  /** About a hundred years; a time before 1970 less that long is still one in nanoseconds. */
  private static final double MAX_SECONDS = 3.2e9;

  /** A longer value is no number. */
  private static final int MAX_DIGITS = 1000;

  private Units() {}

  /** Refuses what is none of them. */
  static void check(Token token) {
    condition(token.text(), token.at());
  }

  /** As conditions on fields have it: a number, or one of seconds or bytes. */
  static String condition(String text, int at) {
    if (text.startsWith("-")) {
      return "-" + condition(text.substring(1), at);
    } else if (PLAIN.matcher(text).matches()) {
      return Texts.number(Double.parseDouble(text));
    }
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      return Texts.number(bytes(size)) + "B";
    }
    double seconds = seconds(text);
    if (Double.isNaN(seconds)) {
      throw new LogqlException(at, "expected a number, a duration or a size, found " + text);
    }
    return Texts.number(seconds) + "s";
  }

  /**
   * The number that a value is; NaN if it is none.
   *
   * @param conversion empty if it has no unit, or else what it is of
   */
  static double number(String value, String conversion) {
    String text = value.strip();
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    double number = unsigned(rest.replace(" ", ""), conversion);
    return negative ? -number : number;
  }

  private static double unsigned(String text, String conversion) {
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return Double.NaN;
    }
    int digits = digits(text);
    if (digits == text.length()) {
      return Double.parseDouble(text);
    } else if (PLAIN.matcher(text).matches()) {
      return Double.parseDouble(text);
    } else if (conversion.equals("bytes")) {
      Matcher size = SIZE.matcher(text);
      return size.matches() ? bytes(size) : Double.NaN;
    }
    return conversion.isEmpty() ? Double.NaN : seconds(text);
  }

  /** How many digits there are before anything else: most values are nothing else. */
  private static int digits(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private static double bytes(Matcher size) {
    int power = PREFIXES.indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
    boolean none = size.group(2).isEmpty();
    double unit = none ? 1 : Math.pow(size.group(3).isEmpty() ? 1000 : 1024, power);
    return Double.parseDouble(size.group(1)) * unit;
  }

  /** A length of time, of one millisecond at least. */
  static Duration duration(Token token) {
    double seconds = seconds(token.text());
    if (Double.isNaN(seconds) || seconds < 0.001 || seconds > MAX_SECONDS) {
      throw new LogqlException(
          token.at(), "expected a duration such as 5m, found " + token.shown());
    }
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  /** NaN if it is none. */
  private static double seconds(String text) {
    Matcher part = PART.matcher(text);
    double sum = 0;
    int end = 0;
    while (end < text.length()) {
      if (!part.find(end) || part.start() != end) {
        return Double.NaN;
      }
      sum += Double.parseDouble(part.group(1)) * ofUnit(part.group(2));
      end = part.end();
    }
    return sum;
  }

  private static double ofUnit(String unit) {
    return switch (unit) {
      case "ns" -> 1e-9;
      case "us", "µs" -> 1e-6;
      case "ms" -> 1e-3;
      case "m" -> 60;
      case "h" -> 3600;
      case "d" -> 86_400;
      case "w" -> 7 * 86_400;
      case "y" -> 365 * 86_400;
      default -> 1;
    };
  }
}

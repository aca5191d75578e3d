package io.cordwood.common.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: {@code 250ms}, {@code 30s}, {@code 2h30m}, {@code 2w}. */
public final class Durations {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d|w)");

  private Durations() {}

  /**
   * Reads a length of time.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static Duration parse(String text) {
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      sum = sum.plus(part(Long.parseLong(part.group(1)), part.group(2)));
      end = part.end();
    }
    if (text.isEmpty() || end < text.length()) {
      throw new IllegalArgumentException(
          "expected a duration such as 250ms, 30s or 2h30m, found \"" + text + "\"");
    }
    return sum;
  }

  /** Writes a length of time as {@link #parse} reads it, to the millisecond. */
  public static String exact(Duration time) {
    return time.toMillisPart() != 0
        ? time.toMillis() + "ms"
        : time.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static Duration part(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofDays(7 * amount);
    };
  }
}

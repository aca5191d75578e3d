package io.cordwood.common.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long ago, or ahead of now: {@code 5m}, {@code 10m ago}, {@code 1 hour 30 min ago}, {@code
 * 1.5h}, {@code -3d}, {@code now-2h30m}, {@code +5min}. Months and years are of the calendar.
 */
final class RelativeTime {
  private static final Pattern WHOLE =
      Pattern.compile("(?:(?:now)? *([-+]) *)?((?:\\d[\\d.]* *\\p{Alpha}+ *)+)");
  private static final String AGO = "ago";
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) *(\\p{Alpha}+) *");

  private RelativeTime() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if the text is none
   * @throws ArithmeticException if it is too long
   * @throws java.time.DateTimeException likewise
   */
  static Instant parse(String text, ZonedDateTime now) {
    boolean ago = text.endsWith(AGO);
    String rest = ago ? text.substring(0, text.length() - AGO.length()) : text;
    Matcher whole = WHOLE.matcher(rest);
    if (!whole.matches() || (ago && whole.group(1) != null)) {
      throw new IllegalArgumentException(text);
    }
    int sign = "+".equals(whole.group(1)) ? 1 : -1;
    return moved(now, whole.group(2), sign).toInstant();
  }

  private static ZonedDateTime moved(ZonedDateTime now, String lengths, int sign) {
    ZonedDateTime moved = now;
    Matcher part = PART.matcher(lengths);
    int end = 0;
    while (part.find(end) && part.start() == end) {
      moved = moved(moved, new BigDecimal(part.group(1)), part.group(2), sign);
      end = part.end();
    }
    if (end < lengths.length()) {
      throw new IllegalArgumentException(lengths);
    }
    return moved;
  }

  private static ZonedDateTime moved(ZonedDateTime from, BigDecimal amount, String unit, int sign) {
    return switch (unit) {
      case "month", "months" -> from.plusMonths(sign * amount.longValueExact());
      case "y", "year", "years" -> from.plusYears(sign * amount.longValueExact());
      default -> from.plus(length(amount, unit(unit)).multipliedBy(sign));
    };
  }

  private static Duration length(BigDecimal amount, Duration unit) {
    return amount.scale() <= 0
        ? unit.multipliedBy(amount.longValueExact())
        : Duration.ofNanos(
            amount.multiply(BigDecimal.valueOf(unit.toNanos())).toBigInteger().longValueExact());
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "ms", "msec" -> Duration.ofMillis(1);
      case "s", "sec", "secs", "second", "seconds" -> Duration.ofSeconds(1);
      case "m", "min", "mins", "minute", "minutes" -> Duration.ofMinutes(1);
      case "h", "hr", "hrs", "hour", "hours" -> Duration.ofHours(1);
      case "d", "day", "days" -> Duration.ofDays(1);
      case "w", "week", "weeks" -> Duration.ofDays(7);
      default -> throw new IllegalArgumentException(name);
    };
  }
}

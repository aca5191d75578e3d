package io.cordwood.common.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time around a moment: {@code 19:55:27}, which is a minute before and after it, {@code
 * 19:55:27±30s} or {@code 19:55:27+-30s}.
 */
public record TimeWindow(Instant from, Instant to) {
  private static final Duration USUAL = Duration.ofMinutes(1);
  private static final Pattern DISTANCE = Pattern.compile("(.*?) ?(?:±|\\+-|\\+/-) ?(\\w+)");

  /**
   * Reads one.
   *
   * @param now what "ago" and "today" are counted from
   * @param zone of times that name none
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static TimeWindow parse(String text, Instant now, ZoneId zone) {
    Matcher parts = DISTANCE.matcher(text.strip());
    boolean isSaid = parts.matches();
    Instant moment = Times.parse(isSaid ? parts.group(1) : text, now, zone);
    Duration distance = isSaid ? Durations.parse(parts.group(2)) : USUAL;
    return new TimeWindow(moment.minus(distance), moment.plus(distance));
  }
}

package io.cordwood.store;

import io.cordwood.common.text.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the records of some topics are kept.
 *
 * @param topics a name, a beginning of names with an asterisk after it, or {@code *} for all others
 */
public record RetentionRule(String topics, Duration time) {
  /** No calendar has a longer one, so that nothing goes early for a leap year. */
  private static final int DAYS_A_YEAR = 366;

  private static final Pattern YEARS = Pattern.compile("(\\d{1,3})y");

  /**
   * Reads {@code audit*=7y} or, for all topics, {@code 30d}.
   *
   * @throws IllegalArgumentException if the text is neither; the message says why
   */
  public static RetentionRule parse(String text) {
    int equals = text.indexOf('=');
    String topics = equals < 0 ? ByTopic.REST : text.substring(0, equals);
    ByTopic.check(topics);
    return new RetentionRule(topics, time(text.substring(equals + 1)));
  }

  private static Duration time(String text) {
    Matcher years = YEARS.matcher(text);
    return years.matches()
        ? Duration.ofDays(Long.parseLong(years.group(1)) * DAYS_A_YEAR)
        : Durations.parse(text);
  }

  /**
   * The times of all topics.
   *
   * @param otherwise of those that no rule is for
   * @throws IllegalArgumentException if two rules are for the same; the message names it
   */
  public static ByTopic<Duration> all(Collection<RetentionRule> rules, Duration otherwise) {
    var times = new TreeMap<String, Duration>();
    for (RetentionRule rule : rules) {
      if (times.put(rule.topics, rule.time) != null) {
        throw new IllegalArgumentException(
            "expected one retention for the topics %s, found two".formatted(rule.topics));
      }
    }
    times.putIfAbsent(ByTopic.REST, otherwise);
    return new ByTopic<>(times);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    String text = Durations.exact(time);
    return topics.equals(ByTopic.REST) ? text : topics + "=" + text;
  }
}

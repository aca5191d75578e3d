package io.cordwood.common.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moments as people write them: RFC 3339 ({@code 2026-01-31T12:00:00Z}, with another zone such as
 * {@code CET}, without one in the local one, or the date alone), how long ago ({@code 5m}, {@code 1
 * hour ago}, {@code -3d}, {@code now-2h30m}) or ahead ({@code +5min}), {@code now}, {@code today},
 * {@code yesterday}, {@code tomorrow}, a time of one of these days ({@code 9:00}, {@code yesterday
 * 14:00}), seconds since 1970 after {@code @}, and seconds, milliseconds, microseconds or
 * nanoseconds since 1970.
 */
public final class Times {
  private static final Pattern EPOCH = Pattern.compile("\\d{9,19}");
  private static final Pattern EPOCH_SECONDS = Pattern.compile("@(\\d{1,11})(?:\\.(\\d{1,9}))?");
  private static final Pattern DAY = Pattern.compile("(today|yesterday|tomorrow)(?: +(\\S+))?");
  private static final Pattern DATED =
      Pattern.compile(
          "([+-]?\\d{4,10}-\\d\\d-\\d\\d)[Tt ](\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?)(.*)");
  private static final Pattern SHORT_HOUR = Pattern.compile("(?<![\\d:.])(\\d:\\d\\d)");

  private Times() {}

  /**
   * Reads a moment.
   *
   * @param now what "ago" and "today" are counted from
   * @param zone of times that name none
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static Instant parse(String text, Instant now, ZoneId zone) {
    String word = SHORT_HOUR.matcher(text.strip()).replaceAll("0$1");
    ZonedDateTime there = now.atZone(zone);
    LocalDate today = there.toLocalDate();
    return word.equals("now")
        ? now
        : epoch(word)
            .or(() -> day(word, today, zone))
            .or(() -> attempt(() -> RelativeTime.parse(word, there)))
            .or(() -> attempt(() -> dated(word, zone)))
            .or(() -> attempt(() -> LocalDate.parse(word).atStartOfDay(zone).toInstant()))
            .or(() -> attempt(() -> at(today, word, zone)))
            .orElseThrow(() -> unknown(text));
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "expected a time such as 2026-01-31T12:00:00Z, 5m, 1 hour ago, yesterday or 14:05, found"
            + " \"%s\"".formatted(text));
  }

  private static Optional<Instant> epoch(String word) {
    Matcher seconds = EPOCH_SECONDS.matcher(word);
    if (seconds.matches()) {
      String fraction = seconds.group(2) == null ? "" : seconds.group(2);
      String nanos = fraction + "0".repeat(9 - fraction.length());
      return Optional.of(
          Instant.ofEpochSecond(Long.parseLong(seconds.group(1)), Long.parseLong(nanos)));
    }
    if (!EPOCH.matcher(word).matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(word);
    return Optional.of(
        switch ((word.length() - 1) / 3) {
          case 2, 3 -> Instant.ofEpochSecond(number);
          case 4 -> Instant.ofEpochMilli(number);
          case 5 -> Instant.ofEpochSecond(number / 1_000_000, number % 1_000_000 * 1_000);
          default -> Instant.ofEpochSecond(number / 1_000_000_000, number % 1_000_000_000);
        });
  }

  private static Optional<Instant> day(String word, LocalDate today, ZoneId zone) {
    Matcher day = DAY.matcher(word);
    if (!day.matches()) {
      return Optional.empty();
    }
    LocalDate date =
        switch (day.group(1)) {
          case "yesterday" -> today.minusDays(1);
          case "tomorrow" -> today.plusDays(1);
          default -> today;
        };
    return day.group(2) == null
        ? Optional.of(date.atStartOfDay(zone).toInstant())
        : attempt(() -> at(date, day.group(2), zone));
  }

  /** A day with a time, and maybe a zone. */
  private static Instant dated(String word, ZoneId usual) {
    Matcher parts = DATED.matcher(word);
    if (!parts.matches()) {
      throw new IllegalArgumentException("expected a day with a time, found \"" + word + "\"");
    }
    String behind = parts.group(3);
    Optional<ZoneText.Found> zone = ZoneText.after(behind, 0);
    if (!behind.isEmpty() && zone.filter(found -> found.end() == behind.length()).isEmpty()) {
      throw new IllegalArgumentException("expected a zone, found \"" + behind + "\"");
    }
    return LocalDateTime.parse(parts.group(1) + "T" + parts.group(2).replace(',', '.'))
        .atZone(zone.map(ZoneText.Found::zone).orElse(usual))
        .toInstant();
  }

  private static Instant at(LocalDate day, String time, ZoneId zone) {
    return day.atStartOfDay(zone).with(LocalTime.parse(time)).toInstant();
  }

  private static Optional<Instant> attempt(Supplier<Instant> reading) {
    try {
      return Optional.of(reading.get());
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      return Optional.empty(); // Another form may fit; if none does, parse says what was expected.
    }
  }
}

package io.cordwood.common.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moments as people write them: RFC 3339 ({@code 2026-01-31T12:00:00Z}, without the zone in the
 * local one, or the date alone), how long ago ({@code 5m}, {@code 10m ago}, {@code -3d}, {@code
 * now-2h30m}), {@code now}, {@code today}, {@code yesterday}, a time of today ({@code 14:05}), and
 * seconds, milliseconds, microseconds or nanoseconds since 1970.
 */
public final class Times {
  private static final Pattern EPOCH = Pattern.compile("\\d{9,19}");
  private static final Pattern AGO = Pattern.compile("(\\w+?) *ago|(?:(?:now *)?- *)?(\\w+)");

  private Times() {}

  /**
   * Reads a moment.
   *
   * @param now what "ago" and "today" are counted from
   * @param zone of times that name none
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static Instant parse(String text, Instant now, ZoneId zone) {
    String word = text.strip();
    ZonedDateTime today = now.atZone(zone).toLocalDate().atStartOfDay(zone);
    return switch (word) {
      case "now" -> now;
      case "today" -> today.toInstant();
      case "yesterday" -> today.minusDays(1).toInstant();
      default ->
          epoch(word)
              .or(() -> ago(word, now))
              .or(() -> attempt(() -> OffsetDateTime.parse(word.replace(' ', 'T')).toInstant()))
              .or(() ->
                  attempt(
                      () -> LocalDateTime.parse(word.replace(' ', 'T')).atZone(zone).toInstant()))
              .or(() -> attempt(() -> LocalDate.parse(word).atStartOfDay(zone).toInstant()))
              .or(() -> attempt(() -> today.with(LocalTime.parse(word)).toInstant()))
              .orElseThrow(() -> unknown(text));
    };
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "expected a time such as 2026-01-31T12:00:00Z, 5m, 2h30m, yesterday or 14:05, found \"%s\""
            .formatted(text));
  }

  private static Optional<Instant> epoch(String word) {
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

  private static Optional<Instant> ago(String word, Instant now) {
    Matcher ago = AGO.matcher(word);
    if (!ago.matches()) {
      return Optional.empty();
    }
    String length = ago.group(1) == null ? ago.group(2) : ago.group(1);
    return attempt(() -> now.minus(Durations.parse(length)));
  }

  private static Optional<Instant> attempt(Supplier<Instant> reading) {
    try {
      return Optional.of(reading.get());
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      return Optional.empty(); // Another form may fit; if none does, parse says what was expected.
    }
  }
}

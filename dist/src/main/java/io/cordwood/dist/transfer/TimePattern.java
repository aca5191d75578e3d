package io.cordwood.dist.transfer;

import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the time that a line has in its first bytes: at the column where the line before had it,
 * else at the leftmost one where the pattern fits. One thread.
 */
abstract sealed class TimePattern {
  /** How much of a line is searched for its time. */
  static final int MAX_BYTES = 256;

  /** ISO 8601, as log frameworks write it. */
  static final String ISO = "iso";

  private static final String UNIX = "unix";

  private static final Map<String, String> NAMED =
      Map.of("clf", "dd/MMM/uuuu:HH:mm:ss XX", "syslog", "MMM [ ]d HH:mm:ss");

  private int column;

  /**
   * Reads a pattern: {@code iso}, {@code clf}, {@code syslog}, {@code unix}, or one of {@link
   * DateTimeFormatter}. One without a year means the year in which a time has passed, with a day to
   * spare.
   *
   * @param zone of times that name none
   * @throws IllegalArgumentException if it is none, or has no day; the message says so
   */
  static TimePattern parse(String text, ZoneId zone, Instant now) {
    return text.equals(UNIX) ? new Unix() : Formatted.of(text, zone, now);
  }

  /** The time of a line in Unix milliseconds; empty if it has none. */
  final OptionalLong find(String line) {
    int end = Math.min(line.length(), MAX_BYTES);
    String head = line.substring(0, end);
    if (column < end) {
      OptionalLong usual = at(head, column);
      if (usual.isPresent()) {
        return usual;
      }
    }
    for (int at = 0; at < end; at++) {
      if (mayBegin(head.charAt(at))) {
        OptionalLong found = at(head, at);
        if (found.isPresent()) {
          column = at;
          return found;
        }
      }
    }
    return OptionalLong.empty();
  }

  abstract boolean mayBegin(char first);

  abstract OptionalLong at(String head, int index);

  /** Seconds since 1970, maybe with a fraction, or milli-, micro- or nanoseconds. */
  private static final class Unix extends TimePattern {
    private static final Pattern NUMBER =
        Pattern.compile(
            "(?<![\\d.])(?:(\\d{10})(?:\\.(\\d{1,9}))?|(\\d{13}|\\d{16}|\\d{19}))(?!\\d)");

    @Override
    boolean mayBegin(char first) {
      return first >= '0' && first <= '9';
    }

    @Override
    OptionalLong at(String head, int index) {
      Matcher number = NUMBER.matcher(head);
      if (!number.find(index) || number.start() != index) {
        return OptionalLong.empty();
      }
      if (number.group(3) != null) {
        return OptionalLong.of(Long.parseLong(number.group(3).substring(0, 13)));
      }
      String fraction = number.group(2) == null ? "" : number.group(2);
      return OptionalLong.of(Long.parseLong(number.group(1) + (fraction + "000").substring(0, 3)));
    }
  }

  /** Times that a formatter reads. */
  private static final class Formatted extends TimePattern {
    private static final ZonedDateTime SAMPLE =
        ZonedDateTime.of(2024, 2, 29, 13, 7, 9, 123_456_789, ZoneOffset.UTC);

    private final DateTimeFormatter formatter;
    private final ZoneId zone;
    private final Instant now;
    private final boolean hasYear;
    private final boolean beginsWithDigit;

    private Formatted(DateTimeFormatter formatter, ZoneId zone, Instant now, String sample) {
      this.formatter = formatter;
      this.zone = zone;
      this.now = now;
      TemporalAccessor fields = formatter.parseUnresolved(sample, new ParsePosition(0));
      this.hasYear =
          fields != null
              && (fields.isSupported(ChronoField.YEAR)
                  || fields.isSupported(ChronoField.YEAR_OF_ERA)
                  || fields.isSupported(ChronoField.INSTANT_SECONDS));
      this.beginsWithDigit = !sample.isEmpty() && Character.isDigit(sample.charAt(0));
    }

    static Formatted of(String text, ZoneId zone, Instant now) {
      String wrong =
          "expected iso, clf, syslog, unix, or a pattern of letters such as"
              + " 'yyyy-MM-dd HH:mm:ss,SSS', which has a day, found \""
              + text
              + "\"";
      try {
        DateTimeFormatter formatter = text.equals(ISO) ? iso() : ofLetters(text);
        String sample = formatter.format(SAMPLE);
        var pattern = new Formatted(formatter, zone, now, sample);
        if (pattern.at(sample, 0).isEmpty()) {
          throw new IllegalArgumentException(wrong);
        }
        return pattern;
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(wrong, e);
      } catch (IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        throw new IllegalArgumentException(why.equals(wrong) ? why : wrong + ": " + why, e);
      }
    }

    private static DateTimeFormatter ofLetters(String text) {
      return new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern(NAMED.getOrDefault(text, text))
          .parseDefaulting(ChronoField.ERA, 1) // A strict formatter asks for it beside "yyyy".
          .toFormatter(Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);
    }

    private static DateTimeFormatter iso() {
      return new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd['T'][' ']HH:mm[:ss]")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .optionalStart()
          .appendLiteral(',')
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, false)
          .optionalEnd()
          .appendPattern("[[' ']XX][[' ']XXX]")
          .toFormatter(Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);
    }

    @Override
    boolean mayBegin(char first) {
      return !beginsWithDigit || (first >= '0' && first <= '9');
    }

    @Override
    OptionalLong at(String head, int index) {
      var position = new ParsePosition(index);
      if (formatter.parseUnresolved(head, position) == null || position.getIndex() == index) {
        return OptionalLong.empty();
      }
      try {
        return hasYear ? OptionalLong.of(millis(formatter, head, index)) : ofSomeYear(head, index);
      } catch (DateTimeException e) {
        return OptionalLong.empty(); // The 31st of February, say.
      }
    }

    private long millis(DateTimeFormatter reader, String head, int index) {
      TemporalAccessor fields = reader.parse(head, new ParsePosition(index));
      if (fields.isSupported(ChronoField.INSTANT_SECONDS)) {
        return Instant.from(fields).toEpochMilli();
      }
      LocalDate day = LocalDate.from(fields);
      LocalTime time = fields.query(TemporalQueries.localTime());
      ZoneId own = fields.query(TemporalQueries.zone());
      return day.atTime(time == null ? LocalTime.MIDNIGHT : time)
          .atZone(own == null ? zone : own)
          .toInstant()
          .toEpochMilli();
    }

    /** A leap day may lie up to eight years back. */
    private OptionalLong ofSomeYear(String head, int index) {
      long latest = now.plusSeconds(86_400).toEpochMilli();
      int thisYear = now.atZone(zone).getYear();
      for (int year = thisYear + 1; year >= thisYear - 8; year--) {
        DateTimeFormatter ofYear =
            new DateTimeFormatterBuilder()
                .append(formatter)
                .parseDefaulting(ChronoField.YEAR, year)
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
        try {
          long millis = millis(ofYear, head, index);
          if (millis <= latest) {
            return OptionalLong.of(millis);
          }
        } catch (DateTimeException e) {
          // No leap year.
        }
      }
      return OptionalLong.empty();
    }
  }
}

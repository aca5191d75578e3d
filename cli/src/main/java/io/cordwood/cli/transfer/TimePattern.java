package io.cordwood.cli.transfer;

import io.cordwood.common.text.ZoneText;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the time that a line has in its first bytes: at the column where the line before had it,
 * else at the leftmost one where the pattern fits. One thread.
 */
abstract sealed class TimePattern {
  /** How much of a line is searched for the beginning of its time. */
  static final int MAX_BYTES = 256;

  /** How much of a line is looked at: a time that begins late has its zone after that. */
  static final int SEEN_BYTES = MAX_BYTES + 2 * ZoneText.MAX_CHARS;

  /** ISO 8601, as log frameworks write it. */
  static final String ISO = "iso";

  private static final String UNIX = "unix";

  private static final Map<String, String> NAMED =
      Map.of("clf", "dd/MMM/uuuu:HH:mm:ss", "syslog", "MMM [ ]d HH:mm:ss");

  private int column;

  /**
   * Reads a pattern: {@code iso}, {@code clf}, {@code syslog}, {@code unix}, or one of {@link
   * DateTimeFormatter}. One without a year means the year after the time, or else that in which the
   * time has passed, with a day to spare; one without a zone means the zone after the time, if
   * there is one.
   *
   * @param zone of times that name none
   * @throws IllegalArgumentException if it is none, or has no day; the message says so
   */
  static TimePattern parse(String text, ZoneId zone, Instant now) {
    return text.equals(UNIX) ? new Unix() : Formatted.of(text, zone, now);
  }

  /**
   * The time of a line in Unix milliseconds; empty if it has none.
   *
   * @throws IllegalArgumentException if there is something with the time that may change it, and is
   *     not known, such as a zone that means several; the message says what was expected
   */
  final OptionalLong find(String line) {
    String head = line.substring(0, Math.min(line.length(), SEEN_BYTES));
    int end = Math.min(head.length(), MAX_BYTES);
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

    private static final Pattern FRACTIONS = Pattern.compile("(?:[.,:]\\d{1,9})*");
    private static final Pattern HALF_OF_DAY = Pattern.compile("(?i)[ \t]?[ap]\\.?m\\b");
    private static final Pattern YEAR = Pattern.compile(" {1,2}((?:19|20)\\d\\d)(?![^ \t:,])");

    /** More of a time: neither a separator, nor a sign before anything but a digit. */
    private static final Pattern GLUED = Pattern.compile("[\\w\\x80-\\xFF]|[+-]\\d");

    private final DateTimeFormatter formatter;
    private final ZoneId zone;
    private final Instant now;

    /** Whether the pattern is known to take a time as a whole, but for its zone. */
    private final boolean isWhole;

    private final boolean hasYear;
    private final boolean beginsWithDigit;

    private Formatted(
        DateTimeFormatter formatter, ZoneId zone, Instant now, boolean isWhole, String sample) {
      this.formatter = formatter;
      this.isWhole = isWhole;
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
        boolean isWhole = text.equals(ISO) || NAMED.containsKey(text);
        var pattern = new Formatted(formatter, zone, now, isWhole, sample);
        if (pattern.at(sample, 0).isEmpty()) {
          throw new IllegalArgumentException(wrong);
        }
        if (hasHalfATime(formatter, sample)) {
          throw new IllegalArgumentException("an hour, of 24 or with 'a', belongs to minutes");
        }
        return pattern;
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(wrong, e);
      } catch (IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        throw new IllegalArgumentException(why.equals(wrong) ? why : wrong + ": " + why, e);
      }
    }

    /** Whether it would take every time for midnight. */
    private static boolean hasHalfATime(DateTimeFormatter formatter, String sample) {
      TemporalAccessor fields = formatter.parseUnresolved(sample, new ParsePosition(0));
      return formatter.parse(sample, new ParsePosition(0)).query(TemporalQueries.localTime())
              == null
          && Stream.of(
                  ChronoField.CLOCK_HOUR_OF_AMPM,
                  ChronoField.HOUR_OF_AMPM,
                  ChronoField.MINUTE_OF_HOUR,
                  ChronoField.SECOND_OF_MINUTE)
              .anyMatch(fields::isSupported);
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
      var iso = new DateTimeFormatterBuilder();
      iso.appendPattern("[uuuu-MM-dd['T'][' ']HH:mm[:ss]][uuuuMMdd'T'HHmm[ss]]");
      for (char separator : new char[] {'.', ',', ':'}) {
        iso.optionalStart().appendLiteral(separator);
        iso.appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, false).optionalEnd();
      }
      return iso.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
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
        return hasYear
            ? OptionalLong.of(millis(formatter, head, index))
            : ofSomeYear(head, index, position.getIndex());
      } catch (DateTimeException e) {
        return OptionalLong.empty(); // The 31st of February, say.
      }
    }

    private long millis(DateTimeFormatter reader, String head, int index) {
      var position = new ParsePosition(index);
      TemporalAccessor fields = reader.parse(head, position);
      if (fields.isSupported(ChronoField.INSTANT_SECONDS)) {
        return Instant.from(fields).toEpochMilli();
      }
      LocalDate day = LocalDate.from(fields);
      LocalTime time = fields.query(TemporalQueries.localTime());
      ZoneId own = fields.query(TemporalQueries.zone());
      if (own == null) {
        own = time == null ? zone : zoneAfter(head, position.getIndex());
      }
      return day.atTime(time == null ? LocalTime.MIDNIGHT : time)
          .atZone(own)
          .toInstant()
          .toEpochMilli();
    }

    /** That of a time which ends there. */
    private ZoneId zoneAfter(String head, int end) {
      int at = afterFraction(head, end);
      Optional<ZoneText.Found> found = ZoneText.after(head, at);
      if (found.isEmpty() && (isAt(HALF_OF_DAY, head, at) || (isWhole && isAt(GLUED, head, at)))) {
        throw new IllegalArgumentException(
            "expected a time of 24 hours, alone or with a zone such as Z, +01:00, UTC or CET, found"
                + " \"%s\" after it".formatted(head.substring(at).strip().split("\\s", 2)[0]));
      }
      return found.map(ZoneText.Found::zone).orElse(zone);
    }

    private static int afterFraction(String head, int end) {
      Matcher fractions = FRACTIONS.matcher(head).region(end, head.length());
      return fractions.lookingAt() ? fractions.end() : end;
    }

    private static boolean isAt(Pattern pattern, String head, int at) {
      return pattern.matcher(head).region(at, head.length()).lookingAt();
    }

    /** A leap day may lie up to eight years back. */
    private OptionalLong ofSomeYear(String head, int index, int end) {
      OptionalInt year = yearAfter(head, end);
      if (year.isPresent()) {
        return OptionalLong.of(millis(inYear(year.getAsInt()), head, index));
      }
      long latest = now.plusSeconds(86_400).toEpochMilli();
      int thisYear = now.atZone(zone).getYear();
      for (int some = thisYear + 1; some >= thisYear - 8; some--) {
        try {
          long millis = millis(inYear(some), head, index);
          if (millis <= latest) {
            return OptionalLong.of(millis);
          }
        } catch (DateTimeException e) {
          // No leap year.
        }
      }
      return OptionalLong.empty();
    }

    /** As in the output of {@code date}, after the zone, or of C's {@code asctime}. */
    private static OptionalInt yearAfter(String head, int end) {
      int at = afterFraction(head, end);
      int behind = ZoneText.after(head, at).map(ZoneText.Found::end).orElse(at);
      Matcher year = YEAR.matcher(head).region(behind, head.length());
      return year.lookingAt()
          ? OptionalInt.of(Integer.parseInt(year.group(1)))
          : OptionalInt.empty();
    }

    private DateTimeFormatter inYear(int year) {
      return new DateTimeFormatterBuilder()
          .append(formatter)
          .parseDefaulting(ChronoField.YEAR, year)
          .toFormatter(Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);
    }
  }
}

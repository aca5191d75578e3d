package io.cordwood.ingest.syslog;

import io.cordwood.ingest.event.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads the time of a header. For one thread.
 *
 * <pre>
 *   2026-11-26T19:54:59.123456+01:00    RFC 5424: exact; also with Z
 *   Nov 26 19:54:59                     RFC 3164: in the zone of this node, and the year in which
 *                                       it is nearest to now; also "Nov  6" and with .123
 * </pre>
 */
final class SyslogTime {
  /** Returned for what is no time. */
  static final int NONE = -1;

  private static final int BSD_BYTES = 15;
  private static final int DATE_BYTES = 19;
  private static final int MAX_FRACTION = 9;
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int[] POWERS = {
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1
  };

  private final InstantSource clock;
  private final ZoneId zone;
  private byte[] lastBsd = {};
  private EventTime lastTime = EventTime.NONE;
  private EventTime time = EventTime.NONE;

  SyslogTime(InstantSource clock, ZoneId zone) {
    this.clock = clock;
    this.zone = zone;
  }

  /** The time that was read last. */
  EventTime time() {
    return time;
  }

  /** Reads a time of RFC 5424; returns the place after it, or {@link #NONE}. */
  int iso(byte[] bytes, int from, int to) {
    if (!isLike(bytes, from, to, "9999-99-99T99:99:99")) {
      return NONE;
    }
    int at = fractionEnd(bytes, from + DATE_BYTES, to);
    boolean isUtc = at < to && bytes[at] == 'Z';
    if (!isUtc && !isLike(bytes, at, to, "+99:99") && !isLike(bytes, at, to, "-99:99")) {
      return NONE;
    }
    int minutes = isUtc ? 0 : 60 * number(bytes, at + 1, 2) + number(bytes, at + 4, 2);
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(bytes, from, 4),
              number(bytes, from + 5, 2),
              number(bytes, from + 8, 2),
              number(bytes, from + 11, 2),
              number(bytes, from + 14, 2),
              number(bytes, from + 17, 2));
      long seconds = local.toEpochSecond(java.time.ZoneOffset.UTC);
      long offset = 60L * (bytes[at] == '-' ? -minutes : minutes);
      time = new EventTime(seconds - offset, nanos(bytes, from + DATE_BYTES, at));
      return isUtc ? at + 1 : at + 6;
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  /** Reads a time of RFC 3164; returns the place after it, or {@link #NONE}. */
  int bsd(byte[] bytes, int from, int to) {
    int end = from + BSD_BYTES;
    boolean isLike =
        isLike(bytes, from + 3, to, " 99 99:99:99") || isLike(bytes, from + 3, to, "  9 99:99:99");
    if (!isLike || month(bytes, from) == 0) {
      return NONE;
    }
    if (!Arrays.equals(lastBsd, 0, lastBsd.length, bytes, from, end)) {
      try {
        lastTime = nearest(bytes, from);
      } catch (DateTimeException e) {
        return NONE;
      }
      lastBsd = Arrays.copyOfRange(bytes, from, end);
    }
    int after = fractionEnd(bytes, end, to);
    time = new EventTime(lastTime.seconds(), nanos(bytes, end, after));
    return after;
  }

  private EventTime nearest(byte[] bytes, int from) {
    int day = (bytes[from + 4] == ' ' ? 0 : 10 * (bytes[from + 4] - '0')) + bytes[from + 5] - '0';
    Instant now = clock.instant();
    int year = LocalDate.ofInstant(now, zone).getYear();
    long best = Long.MAX_VALUE;
    for (int candidate : new int[] {year, year - 1, year + 1}) {
      if (month(bytes, from) == 2 && day == 29 && !java.time.Year.isLeap(candidate)) {
        continue;
      }
      long seconds =
          LocalDateTime.of(
                  candidate,
                  month(bytes, from),
                  day,
                  number(bytes, from + 7, 2),
                  number(bytes, from + 10, 2),
                  number(bytes, from + 13, 2))
              .atZone(zone)
              .toEpochSecond();
      boolean isNearer =
          best == Long.MAX_VALUE
              || Math.abs(seconds - now.getEpochSecond()) < Math.abs(best - now.getEpochSecond());
      best = isNearer ? seconds : best;
    }
    if (best == Long.MAX_VALUE) {
      throw new DateTimeException("no leap year is near");
    }
    return new EventTime(best, 0);
  }

  /** The number of a month; 0 if it is none. */
  private static int month(byte[] bytes, int from) {
    String name = new String(bytes, from, 3, StandardCharsets.ISO_8859_1);
    int at = MONTHS.indexOf(name);
    return at >= 0 && at % 3 == 0 ? at / 3 + 1 : 0;
  }

  private static int fractionEnd(byte[] bytes, int from, int to) {
    int at = from;
    if (at + 1 < to && bytes[at] == '.' && isDigit(bytes[at + 1])) {
      at++;
      while (at < to && at <= from + MAX_FRACTION && isDigit(bytes[at])) {
        at++;
      }
    }
    return at;
  }

  private static int nanos(byte[] bytes, int from, int to) {
    int digits = to - from - 1;
    return digits <= 0 ? 0 : number(bytes, from + 1, digits) * POWERS[digits];
  }

  private static int number(byte[] bytes, int from, int digits) {
    int number = 0;
    for (int i = from; i < from + digits; i++) {
      number = 10 * number + bytes[i] - '0';
    }
    return number;
  }

  /** Whether a text stands there, in which 9 is any digit. */
  private static boolean isLike(byte[] bytes, int from, int to, String pattern) {
    boolean is = from + pattern.length() <= to;
    for (int i = 0; is && i < pattern.length(); i++) {
      byte found = bytes[from + i];
      is = pattern.charAt(i) == '9' ? isDigit(found) : pattern.charAt(i) == found;
    }
    return is;
  }

  static boolean isDigit(byte each) {
    return each >= '0' && each <= '9';
  }
}

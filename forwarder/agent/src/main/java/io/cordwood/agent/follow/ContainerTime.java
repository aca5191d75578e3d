package io.cordwood.agent.follow;

import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/** Reads the times of runtimes, as {@code 2026-11-27T10:00:00.123456789Z}, to the millisecond. */
final class ContainerTime {
  /** The value for no time. */
  static final long NONE = Long.MIN_VALUE;

  private static final String SHAPE = "dddd-dd-ddTdd:dd:dd";
  private static final int MILLIS_OF_DIGIT = 100;

  /** The last day that was seen, as nearly all times have it. */
  private int day;

  private long dayMillis;

  /** The milliseconds since 1970, or {@link #NONE}. */
  long millis(byte[] bytes, int from, int to) {
    if (to - from <= SHAPE.length() || !hasShape(bytes, from)) {
      return NONE;
    }
    int hour = number(bytes, from + 11);
    int minute = number(bytes, from + 14);
    int second = number(bytes, from + 17);
    long date = date(bytes, from);
    if (date == NONE || hour > 23 || minute > 59 || second > 60) {
      return NONE;
    }
    int at = from + SHAPE.length();
    long millis = 0;
    if (bytes[at] == '.') {
      at++;
      for (int unit = MILLIS_OF_DIGIT; at < to && isDigit(bytes[at]); unit /= 10) {
        millis += (long) unit * (bytes[at++] - '0');
      }
    }
    long offset = offsetMinutes(bytes, at, to);
    return offset == NONE
        ? NONE
        : date
            + TimeUnit.HOURS.toMillis(hour)
            + TimeUnit.MINUTES.toMillis(minute - offset)
            + TimeUnit.SECONDS.toMillis(second)
            + millis;
  }

  private static boolean hasShape(byte[] bytes, int from) {
    for (int i = 0; i < SHAPE.length(); i++) {
      char wanted = SHAPE.charAt(i);
      byte found = bytes[from + i];
      if (wanted == 'd' ? !isDigit(found) : found != wanted) {
        return false;
      }
    }
    return true;
  }

  private long date(byte[] bytes, int from) {
    int year = 100 * number(bytes, from) + number(bytes, from + 2);
    int month = number(bytes, from + 5);
    int dayOfMonth = number(bytes, from + 8);
    int wanted = (year << 16) + (month << 8) + dayOfMonth;
    if (wanted != day) {
      boolean isDay = month >= 1 && month <= 12 && dayOfMonth >= 1;
      if (!isDay || dayOfMonth > LocalDate.of(year, month, 1).lengthOfMonth()) {
        return NONE;
      }
      day = wanted;
      dayMillis = TimeUnit.DAYS.toMillis(LocalDate.of(year, month, dayOfMonth).toEpochDay());
    }
    return dayMillis;
  }

  /** The offset of {@code Z} or {@code +02:00}, at the end. */
  private static long offsetMinutes(byte[] bytes, int at, int to) {
    if (to - at == 1 && bytes[at] == 'Z') {
      return 0;
    }
    boolean isOffset =
        to - at == 6
            && (bytes[at] == '+' || bytes[at] == '-')
            && isDigit(bytes[at + 1])
            && isDigit(bytes[at + 2])
            && bytes[at + 3] == ':'
            && isDigit(bytes[at + 4])
            && isDigit(bytes[at + 5]);
    if (!isOffset) {
      return NONE;
    }
    long minutes = 60L * number(bytes, at + 1) + number(bytes, at + 4);
    return bytes[at] == '+' ? minutes : -minutes;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** The number of two digits. */
  private static int number(byte[] bytes, int at) {
    return 10 * (bytes[at] - '0') + bytes[at + 1] - '0';
  }
}

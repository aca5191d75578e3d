package io.cordwood.agent.follow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/** Reads the times of runtimes, as {@code 2026-11-27T10:00:00.123456789Z}, to the millisecond. */
final class ContainerTime {
  /** The value for no time. */
  static final long NONE = Long.MIN_VALUE;

  private static final String SHAPE = "dddd-dd-ddTdd:dd:dd";
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LAST_EIGHT = SHAPE.length() - Long.BYTES;

  /** The last second that was seen, as nearly all times have it: its bytes, the last ones twice. */
  private long first8;

  private long second8;
  private long last8;
  private long secondMillis = NONE;

  /** The milliseconds since 1970, or {@link #NONE}. */
  long millis(byte[] bytes, int from, int to) {
    if (to - from <= SHAPE.length()) {
      return NONE;
    }
    if (!isLastSecond(bytes, from)) {
      readSecond(bytes, from);
    }
    int at = from + SHAPE.length();
    long millis = 0;
    if (bytes[at] == '.') {
      at++;
      int end = digitsEnd(bytes, at, to);
      for (int i = at; i < at + 3; i++) {
        millis = 10 * millis + (i < end ? bytes[i] - '0' : 0);
      }
      at = end;
    }
    long offset = offsetMinutes(bytes, at, to);
    return offset == NONE || secondMillis == NONE
        ? NONE
        : secondMillis - TimeUnit.MINUTES.toMillis(offset) + millis;
  }

  private boolean isLastSecond(byte[] bytes, int from) {
    return (long) LONG.get(bytes, from + LAST_EIGHT) == last8
        && (long) LONG.get(bytes, from + Long.BYTES) == second8
        && (long) LONG.get(bytes, from) == first8;
  }

  private void readSecond(byte[] bytes, int from) {
    first8 = (long) LONG.get(bytes, from);
    second8 = (long) LONG.get(bytes, from + Long.BYTES);
    last8 = (long) LONG.get(bytes, from + LAST_EIGHT);
    secondMillis = hasShape(bytes, from) ? secondMillis(bytes, from) : NONE;
  }

  private static long secondMillis(byte[] bytes, int from) {
    int hour = number(bytes, from + 11);
    int minute = number(bytes, from + 14);
    int second = number(bytes, from + 17);
    long day = dayMillis(bytes, from);
    if (day == NONE || hour > 23 || minute > 59 || second > 60) {
      return NONE;
    }
    return day
        + TimeUnit.HOURS.toMillis(hour)
        + TimeUnit.MINUTES.toMillis(minute)
        + TimeUnit.SECONDS.toMillis(second);
  }

  private static int digitsEnd(byte[] bytes, int from, int to) {
    int at = to - from >= Long.BYTES && areDigits((long) LONG.get(bytes, from)) ? from + 8 : from;
    while (at < to && isDigit(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Whether eight bytes are digits: 3 in the upper half, also with 6 added, as 9 + 6 is 15. */
  private static boolean areDigits(long eight) {
    long upper = 0xF0F0F0F0F0F0F0F0L;
    long threes = 0x3030303030303030L;
    return (eight & upper) == threes && (eight + 0x0606060606060606L & upper) == threes;
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

  private static long dayMillis(byte[] bytes, int from) {
    int year = 100 * number(bytes, from) + number(bytes, from + 2);
    int month = number(bytes, from + 5);
    int dayOfMonth = number(bytes, from + 8);
    boolean isDay = month >= 1 && month <= 12 && dayOfMonth >= 1;
    return isDay && dayOfMonth <= LocalDate.of(year, month, 1).lengthOfMonth()
        ? TimeUnit.DAYS.toMillis(LocalDate.of(year, month, dayOfMonth).toEpochDay())
        : NONE;
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

package io.cordwood.ingest.json;

import io.cordwood.ingest.event.EventTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;

/** Times as senders write them in texts and numbers. */
public final class EventTimes {
  private static final int MAX_CHARS = 40;
  private static final long NANOS = 1_000_000_000;

  /** Larger numbers, in seconds, would be times after the year 5138: milliseconds of 1973. */
  private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(100_000_000_000L);

  private EventTimes() {}

  /**
   * A time as in RFC 3339, in UTC if it names no zone, or a number since 1970 whose size says
   * whether it counts seconds, milliseconds, microseconds or nanoseconds.
   *
   * @return {@link EventTime#NONE} for 0, and for what is no time
   */
  public static EventTime of(String text) {
    return of(text.toCharArray(), 0, text.length());
  }

  /** Reads a part of an array as {@link #of(String)} does. */
  public static EventTime of(char[] text, int from, int length) {
    int start = from;
    int end = from + length;
    while (start < end && text[start] <= ' ') {
      start++;
    }
    while (end > start && text[end - 1] <= ' ') {
      end--;
    }
    if (start == end || end - start > MAX_CHARS) {
      return EventTime.NONE;
    }
    try {
      return isNumber(text, start, end)
          ? number(new BigDecimal(text, start, end - start))
          : new Rfc3339(text, start, end).read();
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return EventTime.NONE;
    }
  }

  /** A date has two hyphens, or a colon; a number has neither. */
  private static boolean isNumber(char[] text, int from, int to) {
    for (int at = from; at < to; at++) {
      boolean isOfNumber = (text[at] >= '0' && text[at] <= '9') || ".eE+-".indexOf(text[at]) >= 0;
      if (!isOfNumber) {
        return false;
      }
    }
    return true;
  }

  private static EventTime number(BigDecimal found) {
    BigDecimal number = found;
    for (int i = 0; i < 3 && number.abs().compareTo(MAX_SECONDS) >= 0; i++) {
      number = number.movePointLeft(3);
    }
    return ofSeconds(number);
  }

  /**
   * A number of seconds since 1970, which may have a fraction.
   *
   * @return {@link EventTime#NONE} for 0, and for what is no such number
   */
  public static EventTime ofSeconds(String text) {
    try {
      return ofSeconds(new BigDecimal(text));
    } catch (ArithmeticException | NumberFormatException e) {
      return EventTime.NONE;
    }
  }

  private static EventTime ofSeconds(BigDecimal seconds) {
    if (seconds.precision() - seconds.scale() > MAX_CHARS || seconds.scale() > 2 * MAX_CHARS) {
      throw new ArithmeticException("an exponent that no time has");
    }
    BigInteger nanos =
        seconds.movePointRight(9).setScale(0, RoundingMode.FLOOR).toBigIntegerExact();
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(NANOS));
    long whole = parts[0].longValueExact();
    long rest = parts[1].longValueExact();
    return nanos.signum() == 0
        ? EventTime.NONE
        : new EventTime(whole + Math.floorDiv(rest, NANOS), (int) Math.floorMod(rest, NANOS));
  }
}

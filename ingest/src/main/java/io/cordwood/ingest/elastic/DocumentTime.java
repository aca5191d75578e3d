package io.cordwood.ingest.elastic;

import io.cordwood.ingest.event.EventTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * Times as documents have them: RFC 3339, in UTC if no zone is named; or a number, whose size says
 * whether it is seconds, milliseconds, microseconds or nanoseconds since 1970.
 */
final class DocumentTime {
  private static final int SHORTEST = "2026-01-31T12:00:00".length();
  private static final int LONGEST_NUMBER = 40;
  private static final int SECONDS_OF_DAY = 86_400;
  private static final int NANOS_DIGITS = 9;
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private final char[] text;
  private final int end;
  private int at;

  private DocumentTime(char[] text, int from, int length) {
    this.text = text;
    this.at = from;
    this.end = from + length;
  }

  /** Reads a text; {@link EventTime#NONE} if it is no time. */
  static EventTime ofText(char[] text, int from, int length) {
    if (length > 0 && length < LONGEST_NUMBER && isNumber(text, from, length)) {
      return ofNumber(new String(text, from, length));
    }
    if (length < SHORTEST) {
      return EventTime.NONE;
    }
    try {
      return new DocumentTime(text, from, length).read();
    } catch (DateTimeException e) {
      return EventTime.NONE;
    }
  }

  private static boolean isNumber(char[] text, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if ((text[i] < '0' || text[i] > '9') && text[i] != '.') {
        return false;
      }
    }
    return true;
  }

  /** Reads a number; {@link EventTime#NONE} if it is too large or has an exponent. */
  static EventTime ofNumber(String number) {
    int point = number.indexOf('.');
    int digits = point < 0 ? number.length() : point;
    boolean isPlain = NUMBER.matcher(number).matches();
    if (!isPlain || number.length() > LONGEST_NUMBER) {
      return EventTime.NONE;
    }
    int scale = digits <= 11 ? 9 : digits <= 14 ? 6 : digits <= 17 ? 3 : 0;
    BigInteger nanos = new BigDecimal(number).scaleByPowerOfTen(scale).toBigInteger();
    BigInteger[] parts = nanos.divideAndRemainder(NANOS);
    if (parts[1].signum() < 0) {
      parts[0] = parts[0].subtract(BigInteger.ONE);
      parts[1] = parts[1].add(NANOS);
    }
    return parts[0].bitLength() < Long.SIZE
        ? new EventTime(parts[0].longValue(), parts[1].intValue())
        : EventTime.NONE;
  }

  private EventTime read() {
    int year = digits(4);
    skip("-");
    int month = digits(2);
    skip("-");
    int day = digits(2);
    skip("Tt ");
    int hour = digits(2);
    skip(":");
    int minute = digits(2);
    skip(":");
    int second = digits(2);
    if (hour > 23 || minute > 59 || second > 60) {
      throw new DateTimeException("no time of a day");
    }
    int nanos = fraction();
    int ofDay = (hour * 60 + minute) * 60 + second - offset();
    return new EventTime(
        LocalDate.of(year, month, day).toEpochDay() * SECONDS_OF_DAY + ofDay, nanos);
  }

  private int fraction() {
    if (at == end || (text[at] != '.' && text[at] != ',')) {
      return 0;
    }
    at++;
    int nanos = 0;
    int count = 0;
    for (; at < end && text[at] >= '0' && text[at] <= '9'; at++, count++) {
      nanos = count < NANOS_DIGITS ? nanos * 10 + text[at] - '0' : nanos;
    }
    for (; count < NANOS_DIGITS; count++) {
      nanos *= 10;
    }
    return nanos;
  }

  /** Seconds that the zone is before UTC. */
  private int offset() {
    if (at == end) {
      return 0;
    }
    char sign = text[at++];
    int seconds = 0;
    if (sign == '+' || sign == '-') {
      seconds = digits(2) * 3600;
      at += at < end && text[at] == ':' ? 1 : 0;
      seconds += at < end ? digits(2) * 60 : 0;
    } else if (sign != 'Z' && sign != 'z') {
      throw new DateTimeException("no zone");
    }
    if (at != end) {
      throw new DateTimeException("more after a time");
    }
    return sign == '-' ? -seconds : seconds;
  }

  private int digits(int count) {
    int value = 0;
    for (int i = 0; i < count; i++, at++) {
      if (at >= end || text[at] < '0' || text[at] > '9') {
        throw new DateTimeException("no digit");
      }
      value = value * 10 + text[at] - '0';
    }
    return value;
  }

  private void skip(String any) {
    if (at >= end || any.indexOf(text[at]) < 0) {
      throw new DateTimeException("no separator");
    }
    at++;
  }
}

package io.cordwood.ingest.json;

import io.cordwood.ingest.event.EventTime;
import java.time.DateTimeException;
import java.time.LocalDate;

/** Reads a time as RFC 3339 has it, or with a blank for the T, a comma, no colon or no zone. */
final class Rfc3339 {
  private static final int SECONDS_OF_DAY = 86_400;
  private static final int NANOS_DIGITS = 9;

  private final char[] text;
  private final int end;
  private int at;

  Rfc3339(char[] text, int from, int to) {
    this.text = text;
    this.at = from;
    this.end = to;
  }

  /**
   * Reads all of it; in UTC if it names no zone.
   *
   * @throws DateTimeException if it is no time
   */
  EventTime read() {
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

package io.cordwood.ingest.json;

import io.cordwood.ingest.event.EventTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

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
    String time = text.strip();
    if (time.isEmpty() || time.length() > MAX_CHARS) {
      return EventTime.NONE;
    }
    try {
      return time.matches("-?[0-9]+(\\.[0-9]*)?([eE]\\+?[0-9]{1,2})?") ? number(time) : date(time);
    } catch (DateTimeException | ArithmeticException e) {
      return EventTime.NONE;
    }
  }

  private static EventTime number(String text) {
    var number = new BigDecimal(text);
    for (int i = 0; i < 3 && number.abs().compareTo(MAX_SECONDS) >= 0; i++) {
      number = number.movePointLeft(3);
    }
    return ofSeconds(number);
  }

  /** A number of seconds, which may have a fraction; {@link EventTime#NONE} for 0. */
  static EventTime ofSeconds(BigDecimal seconds) {
    BigInteger nanos =
        seconds.movePointRight(9).setScale(0, RoundingMode.FLOOR).toBigIntegerExact();
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(NANOS));
    long whole = parts[0].longValueExact();
    long rest = parts[1].longValueExact();
    return nanos.signum() == 0
        ? EventTime.NONE
        : new EventTime(whole + Math.floorDiv(rest, NANOS), (int) Math.floorMod(rest, NANOS));
  }

  private static EventTime date(String text) {
    String iso = text.replace(' ', 'T');
    try {
      return EventTime.of(OffsetDateTime.parse(iso).toInstant());
    } catch (DateTimeException e) {
      return EventTime.of(LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC));
    }
  }
}

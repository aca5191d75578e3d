package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times as Loki has them: nanoseconds since 1970. */
final class LokiTime {
  static final long NANOS_OF_MILLI = 1_000_000L;
  static final long NANOS_OF_SECOND = 1_000_000_000L;

  /** Shorter numbers are seconds. */
  private static final int SECONDS_DIGITS = 10;

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}\\.[0-9]{1,9}");

  private static final long MAX_MILLIS = (1L << 48) - 1;

  /** In the year 2255; sums of times and ranges are still such numbers. */
  static final long MAX_NANOS = 9_000_000_000_000_000_000L;

  private LokiTime() {}

  /** Reads nanoseconds, seconds with or without a fraction, or RFC 3339. */
  static long parse(String name, String text) {
    try {
      long nanos = nanos(text);
      if (nanos >= 0 && nanos <= MAX_NANOS) {
        return nanos;
      }
    } catch (NumberFormatException | ArithmeticException | DateTimeParseException e) {
      // Said below.
    }
    throw new HttpError(
        400,
        ("parameter %s: expected nanoseconds or seconds since 1970, or a time of RFC 3339,"
                + " found \"%s\"")
            .formatted(name, text.substring(0, Math.min(text.length(), 100))));
  }

  private static long nanos(String text) {
    if (text.matches("[0-9]{1,19}")) {
      long number = Long.parseLong(text);
      return text.length() <= SECONDS_DIGITS ? number * NANOS_OF_SECOND : number;
    } else if (SECONDS.matcher(text).matches()) {
      return new BigDecimal(text).multiply(BigDecimal.valueOf(NANOS_OF_SECOND)).longValueExact();
    }
    return ofInstant(OffsetDateTime.parse(text).toInstant());
  }

  static long ofInstant(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), NANOS_OF_SECOND), time.getNano());
  }

  /** The ULIDs of records of milliseconds; empty if there can be none. */
  static Optional<UlidRange> ofMillis(long first, long last) {
    long from = Math.clamp(first, 0, MAX_MILLIS);
    long to = Math.min(last, MAX_MILLIS);
    return to < from || first > MAX_MILLIS
        ? Optional.empty()
        : Optional.of(new UlidRange(Ulid.firstOf(from), Ulid.lastOf(to)));
  }

  /** The ULIDs of records from a time on, that are before another. */
  static Optional<UlidRange> range(long startNanos, long endNanos) {
    return ofMillis(
        Math.ceilDiv(startNanos, NANOS_OF_MILLI), Math.ceilDiv(endNanos, NANOS_OF_MILLI) - 1);
  }

  /** As numbers of matrices and vectors have it: seconds. */
  static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos / NANOS_OF_MILLI, 3).stripTrailingZeros().toPlainString();
  }
}

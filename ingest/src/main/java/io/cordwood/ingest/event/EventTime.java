package io.cordwood.ingest.event;

import java.time.Instant;

/**
 * The time that an event has of its own.
 *
 * @param seconds since 1970
 * @param nanos of the second, 0 to 999,999,999
 */
public record EventTime(long seconds, int nanos) {
  /** An event has none. */
  public static final EventTime NONE = new EventTime(Long.MIN_VALUE, 0);

  private static final long NANOS = 1_000_000_000;
  private static final long MILLIS = 1000;

  /**
   * A time by its nanoseconds since 1970.
   *
   * @param nanos without a sign, so up to the year 2554; 0 for no time
   */
  public static EventTime ofUnsignedNanos(long nanos) {
    return nanos == 0
        ? NONE
        : new EventTime(
            Long.divideUnsigned(nanos, NANOS), (int) Long.remainderUnsigned(nanos, NANOS));
  }

  public static EventTime ofMillis(long millis) {
    return new EventTime(
        Math.floorDiv(millis, MILLIS), (int) (Math.floorMod(millis, MILLIS) * (NANOS / MILLIS)));
  }

  public static EventTime of(Instant instant) {
    return new EventTime(instant.getEpochSecond(), instant.getNano());
  }

  /** Unix milliseconds; those of an event that is far away are still far away. */
  long millis() {
    long far = Long.MAX_VALUE / MILLIS - 1;
    return Math.clamp(seconds, -far, far) * MILLIS + nanos / (NANOS / MILLIS);
  }

  /** As in RFC 3339, in UTC, with as many digits of a second as it has. */
  @Override
  public String toString() {
    boolean isShown =
        seconds >= Instant.MIN.getEpochSecond() && seconds <= Instant.MAX.getEpochSecond();
    return isShown ? Instant.ofEpochSecond(seconds, nanos).toString() : seconds + " s";
  }
}

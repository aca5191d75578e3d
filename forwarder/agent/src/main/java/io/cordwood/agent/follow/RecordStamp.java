package io.cordwood.agent.follow;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A record's ULID, as two numbers: 48 bits of Unix milliseconds, 48 that are drawn once for what a
 * file holds, so that its lines are one stream, and a counter of its records.
 */
record RecordStamp(long high, long low) {
  private static final long COUNTER_MASK = (1L << 32) - 1;
  private static final int MILLIS_SHIFT = 16;

  /** A clock that goes back further than this was wrong before. */
  private static final long MOST_AHEAD_MILLIS = 10_000;

  /** The first of a new stream. */
  static RecordStamp first(long millis) {
    long random48 = ThreadLocalRandom.current().nextLong() >>> MILLIS_SHIFT;
    return new RecordStamp(millis << MILLIS_SHIFT | random48 >>> 32, random48 << 32);
  }

  /** The stamp that follows a number of records. */
  RecordStamp after(int records) {
    return new RecordStamp(high, low + records);
  }

  /**
   * The same place in the stream at a later time; of a new stream, when the clock was far ahead or
   * the counter has no room for that many records.
   */
  RecordStamp at(long millis, int records) {
    long last = high >>> MILLIS_SHIFT;
    if (last > millis + MOST_AHEAD_MILLIS || (low & COUNTER_MASK) + records > COUNTER_MASK) {
      return first(Math.max(millis, Math.min(last, millis + MOST_AHEAD_MILLIS)));
    }
    long now = Math.max(last, millis);
    return new RecordStamp(now << MILLIS_SHIFT | (high & 0xFFFF), low);
  }

  long millis() {
    return high >>> MILLIS_SHIFT;
  }

  /** The same place in the stream, at any time. */
  RecordStamp ofTime(long millis) {
    return new RecordStamp(millis << MILLIS_SHIFT | (high & 0xFFFF), low);
  }

  static RecordStamp parse(String hex) {
    if (hex.length() != 32) {
      throw new IllegalArgumentException("expected 32 hexadecimal digits, found " + hex);
    }
    return new RecordStamp(
        Long.parseUnsignedLong(hex.substring(0, 16), 16),
        Long.parseUnsignedLong(hex.substring(16), 16));
  }

  @Override
  public String toString() {
    return "%016x%016x".formatted(high, low);
  }
}

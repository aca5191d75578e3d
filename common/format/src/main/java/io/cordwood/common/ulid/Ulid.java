package io.cordwood.common.ulid;

import io.cordwood.common.wire.BatchHeader;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * A record's identity and its place in the global order: 48-bit Unix milliseconds, then 80 bits
 * that make it unique.
 *
 * <p>Compared as one unsigned 128-bit number, which is also the order of the 26-character text
 * form.
 *
 * @param high milliseconds (upper 48 bits) and the first 16 of the unique bits
 * @param low the other 64 unique bits; of a stamped batch the last 32 are a counter of records
 */
public record Ulid(long high, long low) implements Comparable<Ulid> {
  /** Bytes of the binary form, big endian. */
  public static final int BYTES = 16;

  /** Characters of the text form (Crockford's base 32). */
  public static final int CHARS = 26;

  /** The largest time a ULID can hold, in Unix milliseconds: the year 10889. */
  public static final long MAX_MILLIS = (1L << 48) - 1;

  public static final Ulid MIN = new Ulid(0, 0);
  public static final Ulid MAX = new Ulid(-1, -1);

  /** The smallest ULID of a millisecond; times outside of what a ULID can hold are clamped. */
  public static Ulid firstOf(long millis) {
    return new Ulid(Math.clamp(millis, 0, MAX_MILLIS) << 16, 0);
  }

  /** The ULID of a batch's first record. */
  public static Ulid firstOf(BatchHeader header) {
    return new Ulid(header.high(), header.low());
  }

  /** The largest ULID of a millisecond; times outside of what a ULID can hold are clamped. */
  public static Ulid lastOf(long millis) {
    return new Ulid(Math.clamp(millis, 0, MAX_MILLIS) << 16 | 0xFFFF, -1);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text is not 26 characters of Crockford's base 32
   */
  public static Ulid parse(String text) {
    if (!com.github.f4b6a3.ulid.Ulid.isValid(text)) {
      throw new IllegalArgumentException(
          "expected a ULID of 26 characters of base 32, found \"" + text + "\"");
    }
    var ulid = com.github.f4b6a3.ulid.Ulid.from(text);
    return new Ulid(ulid.getMostSignificantBits(), ulid.getLeastSignificantBits());
  }

  /** Whether {@link #parse} would take this text. */
  public static boolean isValid(String text) {
    return com.github.f4b6a3.ulid.Ulid.isValid(text);
  }

  /** Reads the binary form at an index, without moving the buffer's position. */
  public static Ulid get(ByteBuffer buffer, int index) {
    return new Ulid(buffer.getLong(index), buffer.getLong(index + Long.BYTES));
  }

  /** Writes the binary form at an index, without moving the buffer's position. */
  public void put(ByteBuffer buffer, int index) {
    buffer.putLong(index, high).putLong(index + Long.BYTES, low);
  }

  /** Unix milliseconds. */
  public long millis() {
    return high >>> 16;
  }

  public Instant time() {
    return Instant.ofEpochMilli(millis());
  }

  /** This ULID plus {@code count}, as a 128-bit number; wraps around at its end. */
  public Ulid plus(long count) {
    long sum = low + count;
    return new Ulid(Long.compareUnsigned(sum, low) < 0 ? high + 1 : high, sum);
  }

  /** The ULID just before this one, as a 128-bit number; wraps around at its end. */
  public Ulid previous() {
    return new Ulid(low == 0 ? high - 1 : high, low - 1);
  }

  @Override
  public int compareTo(Ulid other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  public boolean isBefore(Ulid other) {
    return compareTo(other) < 0;
  }

  public boolean isAfter(Ulid other) {
    return compareTo(other) > 0;
  }

  /** The 26-character text form. */
  @Override
  public String toString() {
    return new com.github.f4b6a3.ulid.Ulid(high, low).toString();
  }
}

package io.cordwood.common.segment;

import java.nio.ByteBuffer;

/**
 * Numbers of 1 to 10 bytes: seven bits a byte, the lowest first, the top bit set on all but the
 * last.
 */
public final class Varints {
  private static final int MAX_SHIFT = 63;

  private Varints() {}

  /** Writes a number. */
  public static void put(ByteBuffer target, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      target.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }

  /**
   * Reads a number.
   *
   * @throws java.nio.BufferUnderflowException if the buffer ends within the number
   * @throws IllegalArgumentException if the number is longer than 10 bytes
   */
  public static long get(ByteBuffer source) {
    long value = 0;
    for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
      byte next = source.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 10 bytes");
  }
}

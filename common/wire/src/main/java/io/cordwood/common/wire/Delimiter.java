package io.cordwood.common.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The byte that ends each record of a batch. */
public enum Delimiter {
  /** For plain lines. */
  LF('\n', 0),
  /** For records that may hold line feeds, such as stack traces; as in {@code grep -z}. */
  NUL(0, 1);

  private static final long ONES = 0x0101010101010101L;
  private static final long LOW_SEVEN = 0x7F7F7F7F7F7F7F7FL;

  private final byte value;
  private final long pattern;
  private final int code;

  Delimiter(int value, int code) {
    this.value = (byte) value;
    this.pattern = value * ONES;
    this.code = code;
  }

  public byte value() {
    return value;
  }

  /** Its code in the formats: 0 or 1. */
  public int code() {
    return code;
  }

  /** How often the delimiter stands in the buffer's remaining bytes; does not move the position. */
  public int countIn(ByteBuffer buffer) {
    var bytes = buffer.duplicate().order(ByteOrder.nativeOrder());
    int at = bytes.position();
    int end = bytes.limit();
    int count = 0;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long diff = bytes.getLong(at) ^ pattern;
      count += Long.bitCount(~((diff & LOW_SEVEN) + LOW_SEVEN | diff | LOW_SEVEN));
    }
    for (; at < end; at++) {
      count += bytes.get(at) == value ? 1 : 0;
    }
    return count;
  }
}

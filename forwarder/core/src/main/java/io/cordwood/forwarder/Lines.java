package io.cordwood.forwarder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds and counts bytes, most of them line feeds, eight at a time. */
public final class Lines {
  private static final byte LF = '\n';
  private static final byte CR = '\r';
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOWEST_BITS = 0x0101010101010101L;
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long LINE_FEEDS = 0x0A0A0A0A0A0A0A0AL;

  private Lines() {}

  /** How many LFs lie in {@code [from, to)}. */
  static int count(byte[] bytes, int from, int to) {
    int count = 0;
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      count += Long.bitCount(lineFeeds(bytes, at));
    }
    for (; at < to; at++) {
      count += bytes[at] == LF ? 1 : 0;
    }
    return count;
  }

  /**
   * The start of the first line in {@code [from, to)} that is blank, with nothing but LF or CR LF,
   * and is after another one; or {@code to}.
   */
  static int blank(byte[] bytes, int from, int to) {
    int at = from;
    long before = 0;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long found = lineFeeds(bytes, at);
      if (hasNear(found, before)) {
        int blank = blankOneByOne(bytes, from, at, at + Long.BYTES);
        if (blank < at + Long.BYTES) {
          return blank;
        }
      }
      before = found;
    }
    return blankOneByOne(bytes, from, at, to);
  }

  /**
   * How many LFs lie in {@code [from, to)}, in one look; -1 if a line is blank, as for {@link
   * #blank}.
   */
  static int countUnlessBlank(byte[] bytes, int from, int to) {
    int count = 0;
    int at = from;
    long before = 0;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long found = lineFeeds(bytes, at);
      int end = at + Long.BYTES;
      if (hasNear(found, before) && blankOneByOne(bytes, from, at, end) < end) {
        return -1;
      }
      count += Long.bitCount(found);
      before = found;
    }
    return blankOneByOne(bytes, from, at, to) < to ? -1 : count + count(bytes, at, to);
  }

  /** Whether one of the LFs found has another one or two bytes before it. */
  private static boolean hasNear(long found, long before) {
    long next = (found << Byte.SIZE) | (before >>> (Long.SIZE - Byte.SIZE));
    long nextButOne = (found << (2 * Byte.SIZE)) | (before >>> (Long.SIZE - 2 * Byte.SIZE));
    return (found & (next | nextButOne)) != 0;
  }

  /**
   * The same of lines that end in {@code [at, to)}.
   *
   * @param from where the first line begins
   */
  private static int blankOneByOne(byte[] bytes, int from, int at, int to) {
    for (int end = at; end < to; end++) {
      if (bytes[end] == LF && end > from) {
        if (bytes[end - 1] == LF) {
          return end;
        }
        if (bytes[end - 1] == CR && end - 1 > from && bytes[end - 2] == LF) {
          return end - 1;
        }
      }
    }
    return to;
  }

  /** The position of the last LF in {@code [from, to)}, or -1. */
  public static int last(byte[] bytes, int from, int to) {
    for (int at = to - 1; at >= from; at--) {
      if (bytes[at] == LF) {
        return at;
      }
    }
    return -1;
  }

  /** The position of the first byte of this value in {@code [from, to)}, or -1. */
  public static int first(byte value, byte[] bytes, int from, int to) {
    long pattern = (value & 0xFF) * LOWEST_BITS;
    int at = from;
    for (; at <= to - 4 * Long.BYTES; at += 4 * Long.BYTES) {
      long a = firstEqual(bytes, at, pattern);
      long b = firstEqual(bytes, at + Long.BYTES, pattern);
      long c = firstEqual(bytes, at + 2 * Long.BYTES, pattern);
      long d = firstEqual(bytes, at + 3 * Long.BYTES, pattern);
      if ((a | b | c | d) != 0) {
        long found = a != 0 ? a : b != 0 ? b : c != 0 ? c : d;
        int longs = a != 0 ? 0 : b != 0 ? 1 : c != 0 ? 2 : 3;
        return at + longs * Long.BYTES + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long found = equal(bytes, at, pattern);
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == value) {
        return at;
      }
    }
    return -1;
  }

  /** The top bit of each of the eight bytes that is an LF, and no other bit. */
  private static long lineFeeds(byte[] bytes, int at) {
    return equal(bytes, at, LINE_FEEDS);
  }

  /** As {@link #equal}, in fewer steps, of which only the lowest bit is certain. */
  private static long firstEqual(byte[] bytes, int at, long pattern) {
    long differing = (long) LONG.get(bytes, at) ^ pattern;
    return differing - LOWEST_BITS & ~differing & ~LOW_BITS;
  }

  private static long equal(byte[] bytes, int at, long pattern) {
    long differing = (long) LONG.get(bytes, at) ^ pattern;
    return ~((differing & LOW_BITS) + LOW_BITS | differing | LOW_BITS);
  }
}

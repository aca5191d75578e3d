package io.cordwood.ingest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One look at a payload that begins with a line's first byte: counts its line feeds, and notices
 * whether it may hold blank lines. Eight bytes at a time; buffers are given one after the other.
 *
 * <p>Two line feeds beside each other, or with one byte between them, are what a blank line (LF
 * alone, or CR LF alone) looks like; the latter is also what a line of one byte looks like.
 */
final class LineScan {
  private static final long LINE_FEEDS = 0x0A0A0A0A0A0A0A0AL;
  private static final long LOW_SEVEN = 0x7F7F7F7F7F7F7F7FL;
  private static final long LAST_BYTE = 0x80L << 56;

  /** Bit 7 of each byte: whether it was a line feed; the byte before the first counts as one. */
  private long before = LAST_BYTE;

  private long close;
  private int lines;

  /** Looks at a buffer's remaining bytes; does not move the position. */
  void look(ByteBuffer buffer) {
    var bytes = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int at = bytes.position();
    int end = bytes.limit();
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long diff = bytes.getLong(at) ^ LINE_FEEDS;
      long found = ~(((diff & LOW_SEVEN) + LOW_SEVEN) | diff | LOW_SEVEN);
      close |= found & ((found << 8) | (found << 16) | (before >>> 56) | (before >>> 48));
      lines += Long.bitCount(found);
      before = found;
    }
    for (; at < end; at++) {
      lookAt(bytes.get(at));
    }
  }

  private void lookAt(byte value) {
    long found = value == '\n' ? LAST_BYTE : 0;
    close |= found & (before | (before << 8));
    lines += found == 0 ? 0 : 1;
    before = (before >>> 8) | found;
  }

  /** Line feeds so far. */
  int lines() {
    return lines;
  }

  /** Whether there may be blank lines; if not, there are none. */
  boolean mayHaveBlanks() {
    return close != 0;
  }
}

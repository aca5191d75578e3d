package io.cordwood.ingest.sender;

import io.cordwood.common.run.Jvm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One look at a payload that begins with a line's first byte: counts its line feeds, and notices
 * whether it may hold blank lines. Buffers are given one after the other.
 *
 * <p>Two line feeds beside each other, or with one byte between them, are what a blank line (LF
 * alone, or CR LF alone) looks like; the latter is also what a line of one byte looks like.
 *
 * <p>There are two ways, of the same results. The wide one has no state from word to word, so the
 * JIT makes vector code of it. Until it is compiled it is many times slower than the narrow one, so
 * it is used only once {@link #warmUp} ran.
 */
public final class LineScan {
  /** A buffer of less is not worth the wide way. */
  private static final int WIDE_BYTES = 1 << 10;

  private static final int WARM_UP_BYTES = 256 << 10;
  private static final int WARM_UP_ROUNDS = 200;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long LINE_FEEDS = 0x0A0A0A0A0A0A0A0AL;
  private static final long LOW_SEVEN = 0x7F7F7F7F7F7F7F7FL;
  private static final long LAST_BYTE = 0x80L << 56;

  private static volatile boolean warm;

  /** Bit 7 of each byte: whether it was a line feed; the byte before the first counts as one. */
  private long before = LAST_BYTE;

  private long close;
  private int lines;

  /** Has the wide way compiled, which takes some tenths of a second; for a thread of its own. */
  public static void warmUp() {
    if (!Jvm.optimizes()) {
      return;
    }
    var bytes = ByteBuffer.allocateDirect(WARM_UP_BYTES);
    for (int i = 0; i < WARM_UP_ROUNDS && !warm; i++) {
      new LineScan().lookWide(bytes);
    }
    warm = true;
  }

  /** Looks at a buffer's remaining bytes; does not move the position. */
  void look(ByteBuffer buffer) {
    if (warm && buffer.remaining() >= WIDE_BYTES) {
      lookWide(buffer);
    } else {
      lookNarrow(buffer, buffer.position());
    }
  }

  void lookNarrow(ByteBuffer buffer, int from) {
    var bytes = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int at = from;
    int end = bytes.limit();
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long found = lineFeeds(bytes.getLong(at));
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

  /** For buffers of at least 16 bytes. */
  void lookWide(ByteBuffer buffer) {
    var bytes = MemorySegment.ofBuffer(buffer);
    int words = (int) ((bytes.byteSize() - 2) / Long.BYTES);
    close |= lineFeeds(bytes.get(LONG, 0)) & ((before >>> 56) | (before >>> 48));
    long found = lineFeedsIn(bytes, words);
    close |= Math.min(found, 0);
    lines += (int) Math.abs(found);
    before = lineFeeds(bytes.get(LONG, (words - 1L) * Long.BYTES));
    lookNarrow(buffer, buffer.position() + words * Long.BYTES);
  }

  /** How many line feeds are in the words; negated if one has another one or two bytes later. */
  private static long lineFeedsIn(MemorySegment bytes, int words) {
    long lines = 0;
    long close = 0;
    for (int i = 0; i < words; i++) {
      long here = lineFeeds(bytes.get(LONG, 8L * i));
      long next = lineFeeds(bytes.get(LONG, 8L * i + 1));
      long overNext = lineFeeds(bytes.get(LONG, 8L * i + 2));
      close |= here & (next | overNext);
      lines += Long.bitCount(here);
    }
    return close == 0 ? lines : -lines;
  }

  private static long lineFeeds(long eight) {
    long differing = eight ^ LINE_FEEDS;
    return ~(((differing & LOW_SEVEN) + LOW_SEVEN) | differing | LOW_SEVEN);
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

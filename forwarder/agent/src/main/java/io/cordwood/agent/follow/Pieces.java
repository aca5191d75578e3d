package io.cordwood.agent.follow;

import io.cordwood.common.text.JsonEscapes;
import java.util.Arrays;

/**
 * The lines of runtimes in some bytes of a file, each with a piece of a text: where it stands, and
 * whether its line and its record go on in the next piece of its stream. Used again for other
 * bytes, by one thread.
 */
final class Pieces {
  private static final int FIRST_CAPACITY = 256;
  private static final int PART = 1;
  private static final int ESCAPED = 1 << 1;
  private static final int LINES = 1 << 2;
  private static final int UNLIKE = 1 << 3;
  private static final int JOINED = 1 << 4;

  private int count;
  private int[] begins = new int[FIRST_CAPACITY];
  private int[] ends = new int[FIRST_CAPACITY];
  private int[] froms = new int[FIRST_CAPACITY];
  private int[] tos = new int[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private long[] millis = new long[FIRST_CAPACITY];
  private byte[] streams = new byte[FIRST_CAPACITY];
  private byte[] flags = new byte[FIRST_CAPACITY];

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** Adds the piece of a line; returns its number. */
  int add(byte[] bytes, ContainerLine line, int begin, int end) {
    if (count == begins.length) {
      grow();
    }
    begins[count] = begin;
    ends[count] = end;
    froms[count] = line.from;
    tos[count] = line.to;
    lengths[count] =
        line.isEscaped
            ? JsonEscapes.decode(bytes, line.from, line.to, null, 0)
            : line.to - line.from;
    millis[count] = line.millis;
    streams[count] = (byte) line.stream;
    flags[count] =
        (byte)
            ((line.isPart ? PART : 0)
                | (line.isEscaped ? ESCAPED : 0)
                | (line.hasLines ? LINES : 0)
                | (line.isLike ? 0 : UNLIKE));
    return count++;
  }

  private void grow() {
    int capacity = 2 * count;
    begins = Arrays.copyOf(begins, capacity);
    ends = Arrays.copyOf(ends, capacity);
    froms = Arrays.copyOf(froms, capacity);
    tos = Arrays.copyOf(tos, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    millis = Arrays.copyOf(millis, capacity);
    streams = Arrays.copyOf(streams, capacity);
    flags = Arrays.copyOf(flags, capacity);
  }

  /** The position at which its line begins. */
  int begin(int piece) {
    return begins[piece];
  }

  /** The position at which the line after it begins. */
  int end(int piece) {
    return ends[piece];
  }

  /** The bytes of its text. */
  int length(int piece) {
    return lengths[piece];
  }

  long millis(int piece) {
    return millis[piece];
  }

  int stream(int piece) {
    return streams[piece];
  }

  /** Whether its text goes on in the next piece of its stream. */
  boolean isPart(int piece) {
    return (flags[piece] & PART) != 0;
  }

  /** Whether its record goes on in the next piece of its stream, in a line of its own. */
  boolean isJoined(int piece) {
    return (flags[piece] & JOINED) != 0;
  }

  /** Whether its record ends with it. */
  boolean endsRecord(int piece) {
    return (flags[piece] & (PART | JOINED)) == 0;
  }

  /** Ends its text, and the record with it. */
  void cutOff(int piece) {
    flags[piece] &= ~PART;
  }

  /** Joins the next line of its stream to its record. */
  void join(int piece) {
    flags[piece] |= JOINED;
  }

  /** Whether its text has line feeds within. */
  boolean hasLines(int piece) {
    return (flags[piece] & LINES) != 0;
  }

  boolean isUnlike(int piece) {
    return (flags[piece] & UNLIKE) != 0;
  }

  /** Copies its text; returns where it ends. */
  int copy(int piece, byte[] bytes, byte[] to, int at) {
    if ((flags[piece] & ESCAPED) != 0) {
      return JsonEscapes.decode(bytes, froms[piece], tos[piece], to, at);
    }
    System.arraycopy(bytes, froms[piece], to, at, lengths[piece]);
    return at + lengths[piece];
  }

  /** Copies the beginning of its text, as far as there is room; returns how much that is. */
  int copyStart(int piece, byte[] bytes, byte[] to) {
    int length = Math.min(lengths[piece], to.length);
    if ((flags[piece] & ESCAPED) == 0) {
      System.arraycopy(bytes, froms[piece], to, 0, length);
      return length;
    }
    int most = Math.min(tos[piece], froms[piece] + to.length);
    return JsonEscapes.decode(bytes, froms[piece], most, to, 0);
  }
}

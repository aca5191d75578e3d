package io.cordwood.agent.follow;

import io.cordwood.common.text.JsonEscapes;
import java.util.Arrays;

/**
 * The lines of runtimes in some bytes of a file, each with a piece of a text: where it stands, and
 * which pieces make one record. Used again for other bytes, by one thread.
 */
final class Pieces {
  private static final int FIRST_CAPACITY = 256;
  private static final int PART = 1;
  private static final int ESCAPED = 1 << 1;
  private static final int LINES = 1 << 2;
  private static final int UNLIKE = 1 << 3;

  /** An end of a chain, or of nothing. */
  static final int NONE = -1;

  private int count;
  private int[] begins = new int[FIRST_CAPACITY];
  private int[] ends = new int[FIRST_CAPACITY];
  private int[] froms = new int[FIRST_CAPACITY];
  private int[] tos = new int[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private long[] millis = new long[FIRST_CAPACITY];
  private byte[] streams = new byte[FIRST_CAPACITY];
  private byte[] flags = new byte[FIRST_CAPACITY];
  private int[] nexts = new int[FIRST_CAPACITY];
  private int[] lasts = new int[FIRST_CAPACITY];
  private int[] nextRecords = new int[FIRST_CAPACITY];

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** Adds the piece of a line, which is of the format or not; returns its number. */
  int add(byte[] bytes, ContainerLine line, boolean isLike, int begin, int end) {
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
                | (isLike ? 0 : UNLIKE));
    nexts[count] = NONE;
    lasts[count] = NONE;
    nextRecords[count] = NONE;
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
    nexts = Arrays.copyOf(nexts, capacity);
    lasts = Arrays.copyOf(lasts, capacity);
    nextRecords = Arrays.copyOf(nextRecords, capacity);
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

  /** Whether the text of its line goes on. */
  boolean isPart(int piece) {
    return (flags[piece] & PART) != 0;
  }

  /** Whether its text has line feeds within. */
  boolean hasLines(int piece) {
    return (flags[piece] & LINES) != 0;
  }

  boolean isUnlike(int piece) {
    return (flags[piece] & UNLIKE) != 0;
  }

  /** The piece that follows in the same line or record. */
  int next(int piece) {
    return nexts[piece];
  }

  void link(int piece, int next) {
    nexts[piece] = next;
  }

  /** Makes a record of the pieces from one to another. */
  void record(int first, int last) {
    lasts[first] = last;
    nexts[last] = NONE;
  }

  /** The last piece of the record that a piece begins; {@link #NONE} if it begins none. */
  int lastOfRecord(int first) {
    return lasts[first];
  }

  /** Puts the record that a piece begins after another one, in one batch. */
  void linkRecord(int first, int next) {
    nextRecords[first] = next;
  }

  /** The first piece of the record after the one that a piece begins, in one batch. */
  int nextRecord(int first) {
    return nextRecords[first];
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

package io.cordwood.cli.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into blocks of whole lines, each ended by the delimiter, the last one too. What has
 * been read is given on at once. Memory is bounded: a line of more than {@value #MAX_LINE_BYTES}
 * bytes is cut there, and counted. One thread.
 */
public final class LineBlocks {
  /** The longest line that is given as a whole. */
  static final int MAX_LINE_BYTES = 2 << 20;

  private static final int FIRST_BYTES = 256 << 10;

  private final InputStream in;
  private final byte delimiter;
  private byte[] buffer = new byte[FIRST_BYTES];
  private int filled;
  private long cutLines;

  LineBlocks(InputStream in) {
    this(in, (byte) '\n');
  }

  /**
   * @param delimiter what ends a line
   */
  LineBlocks(InputStream in, byte delimiter) {
    this.in = in;
    this.delimiter = delimiter;
  }

  /** Gets blocks of records. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes whole records, each ended by the delimiter, valid during the call.
     *
     * @return whether it wants more
     */
    boolean take(byte[] bytes, int from, int to, byte delimiter) throws IOException;
  }

  /** Gives all lines, until the stream ends or the sink wants no more. */
  void read(Sink sink) throws IOException {
    boolean wanted = true;
    while (wanted) {
      int count = in.read(buffer, filled, buffer.length - filled);
      if (count < 0) {
        giveRest(sink);
        return;
      }
      int end = lastLineEnd(filled, filled + count);
      filled += count;
      if (end > 0) {
        wanted = sink.take(buffer, 0, end, delimiter);
        keep(end);
      } else if (filled == buffer.length) {
        wanted = growOrCut(sink);
      }
    }
  }

  private void giveRest(Sink sink) throws IOException {
    if (filled > 0) {
      byte[] rest = Arrays.copyOf(buffer, filled + 1);
      rest[filled] = delimiter;
      sink.take(rest, 0, filled + 1, delimiter);
    }
  }

  private int lastLineEnd(int from, int to) {
    int end = to;
    while (end > from && buffer[end - 1] != delimiter) {
      end--;
    }
    return end > from ? end : 0;
  }

  private void keep(int from) {
    System.arraycopy(buffer, from, buffer, 0, filled - from);
    filled -= from;
  }

  private boolean growOrCut(Sink sink) throws IOException {
    if (buffer.length <= MAX_LINE_BYTES) {
      buffer = Arrays.copyOf(buffer, Math.min(2 * buffer.length, MAX_LINE_BYTES + 1));
      return true;
    }
    cutLines++;
    byte next = buffer[MAX_LINE_BYTES];
    buffer[MAX_LINE_BYTES] = delimiter;
    boolean wanted = sink.take(buffer, 0, MAX_LINE_BYTES + 1, delimiter);
    buffer[MAX_LINE_BYTES] = next;
    keep(MAX_LINE_BYTES);
    return wanted;
  }

  /** How often a line was cut. */
  long cutLines() {
    return cutLines;
  }
}

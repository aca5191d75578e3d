package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Pumps the lines of an input stream, such as standard input, into a forwarder. What was read is
 * sent up to its last LF at once, and the rest is kept for the next read. A last line without LF is
 * a record; a line over 1 MiB becomes several. Not for use by several threads.
 */
public final class ForwardStream {
  private static final int READ_BYTES = 256 << 10;

  /** Holds the beginning of a record of the longest kind, one read more, and a last LF. */
  private static final int BUFFER_BYTES = BatchHeader.MAX_RECORD_BYTES + READ_BYTES + 1;

  private final InputStream in;
  private final Forwarder forwarder;
  private byte[] buffer = new byte[2 * READ_BYTES];
  private int length;

  public ForwardStream(InputStream in, Forwarder forwarder) {
    this.in = in;
    this.forwarder = forwarder;
  }

  /**
   * Runs until the stream ends, or the forwarder takes no more. It blocks when the forwarder does;
   * what it took is not acknowledged yet when it returns: flush or close the forwarder for that.
   *
   * @return whether the forwarder took all of it
   */
  public boolean run() throws IOException {
    boolean taken = true;
    int count = read();
    while (count >= 0 && !forwarder.isClosed()) {
      taken &= sendUpToLastLf(count);
      if (length > BatchHeader.MAX_RECORD_BYTES) {
        taken &= forwarder.sendCutLine(buffer, 0);
        keepFrom(BatchHeader.MAX_RECORD_BYTES);
      }
      count = read();
    }
    return sendLastLine() && taken && count < 0;
  }

  /** Reads after what is kept, with room for it and a last LF. */
  private int read() throws IOException {
    if (buffer.length - length <= READ_BYTES) {
      buffer = Arrays.copyOf(buffer, Math.min(2 * buffer.length, BUFFER_BYTES));
    }
    return in.read(buffer, length, READ_BYTES);
  }

  private boolean sendUpToLastLf(int count) {
    int lf = Lines.last(buffer, length, length + count);
    length += count;
    if (lf < 0) {
      return true;
    }
    boolean taken = forwarder.sendLines(buffer, 0, lf + 1);
    keepFrom(lf + 1);
    return taken;
  }

  private void keepFrom(int from) {
    length -= from;
    System.arraycopy(buffer, from, buffer, 0, length);
  }

  private boolean sendLastLine() {
    if (length == 0) {
      return true;
    }
    buffer[length] = '\n';
    boolean taken = forwarder.sendLines(buffer, 0, length + 1);
    length = 0;
    return taken;
  }
}

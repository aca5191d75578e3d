package io.cordwood.cli.client;

import io.cordwood.common.http.BlockInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * An answer that comes in pieces, as it would be in one: takes out the lines between them. One
 * thread.
 */
final class AnswerPieces extends BlockInput {
  /** The media type of such an answer. */
  static final String TYPE = "application/x-cordwood-pieces";

  private static final String BYTES = "{\"bytes\":";
  private static final String PROGRESS = "{\"progress\":";
  private static final int MAX_LINE_CHARS = 4096;

  private final InputStream in;
  private final Watcher watcher;
  private long left;

  /** Is told what is between the bytes. */
  interface Watcher {
    /** A line of JSON that says how far the search has come. */
    void progress(String line) throws IOException;

    /** Bytes of the answer follow, up to the end of a line. */
    void piece();
  }

  AnswerPieces(InputStream in, Watcher watcher) {
    this.in = in;
    this.watcher = watcher;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (left == 0) {
      String line = line();
      if (line == null) {
        return -1;
      }
      begin(line);
    }
    int read = in.read(bytes, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the answer ends within a piece");
    }
    left -= read;
    return read;
  }

  /** Bytes of the current piece only: reading beyond it may have to wait. */
  @Override
  public int available() throws IOException {
    return (int) Math.min(left, in.available());
  }

  private void begin(String line) throws IOException {
    if (line.startsWith(PROGRESS)) {
      watcher.progress(line);
      return;
    }
    try {
      left = Long.parseLong(line, BYTES.length(), line.length() - 1, 10);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException("expected a piece of an answer, found something else", e);
    }
    if (left < 0 || !line.startsWith(BYTES)) {
      throw new IOException("expected a piece of an answer, found something else");
    }
    watcher.piece();
  }

  /** Null at the end. */
  private @Nullable String line() throws IOException {
    var line = new StringBuilder();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n' && line.length() < MAX_LINE_CHARS) {
      line.append((char) next);
      next = in.read();
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

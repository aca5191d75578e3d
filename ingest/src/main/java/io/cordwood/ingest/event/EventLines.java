package io.cordwood.ingest.event;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a body at its line feeds; the last line needs none. For one request and thread. */
public final class EventLines {
  /** The longest line. */
  public static final int MAX_LINE_BYTES = 16 << 20;

  private static final int FIRST_BYTES = 64 << 10;

  private final Line line;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;
  private long number;

  public EventLines(Line line) {
    this.line = line;
  }

  /** Takes a line. */
  @FunctionalInterface
  public interface Line {
    /**
     * Adds it.
     *
     * @param bytes as they came, without the line feed; changed afterwards
     */
    void add(byte[] bytes, int from, int to) throws IOException, RefusedException;
  }

  /**
   * Reads all of a body.
   *
   * @throws HttpError 413 if a line is too long
   */
  public void read(InputStream body) throws IOException, RefusedException {
    for (int count = fill(body); count >= 0; count = fill(body)) {
      int searched = size;
      size += count;
      int from = 0;
      for (int at = searched; at < size; at++) {
        if (bytes[at] == '\n') {
          line(from, at);
          from = at + 1;
        }
      }
      System.arraycopy(bytes, from, bytes, 0, size - from);
      size -= from;
    }
    if (size > 0) {
      line(0, size);
    }
  }

  private int fill(InputStream body) throws IOException {
    if (size == bytes.length) {
      if (size >= MAX_LINE_BYTES) {
        throw new HttpError(
            413,
            "line %d: expected at most %d bytes, found more".formatted(number + 1, MAX_LINE_BYTES));
      }
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    return body.read(bytes, size, bytes.length - size);
  }

  private void line(int from, int to) throws IOException, RefusedException {
    number++;
    boolean isBlank = to - from == 1 && bytes[from] == '\r';
    line.add(bytes, from, isBlank ? from : to);
  }
}

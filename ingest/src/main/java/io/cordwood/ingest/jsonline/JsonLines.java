package io.cordwood.ingest.jsonline;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a body at its line feeds. For one request and thread. */
final class JsonLines {
  static final int MAX_LINE_BYTES = 16 << 20;

  private final JsonLine line;
  private byte[] bytes = new byte[64 << 10];
  private int size;
  private long number;

  JsonLines(JsonLine line) {
    this.line = line;
  }

  /**
   * Reads all of it; the last line needs no line feed.
   *
   * @throws HttpError 413 if a line is too long
   */
  void read(InputStream body) throws IOException, RefusedException {
    for (int count = fill(body); count >= 0; count = fill(body)) {
      int from = 0;
      int searched = size;
      size += count;
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
    int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    line.add(bytes, from, end);
  }
}

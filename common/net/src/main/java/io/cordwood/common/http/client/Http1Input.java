package io.cordwood.common.http.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Reads a server's bytes, as lines and as bytes. One thread. */
final class Http1Input {
  private static final int FIRST_BUFFER_BYTES = 8 << 10;
  private static final int MAX_BUFFER_BYTES = 64 << 10;

  /** The longest line of a head; far beyond what a node sends. */
  private static final int MAX_LINE_BYTES = 256 << 10;

  private static final int MAX_FIELDS = 200;

  private final InputStream in;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int at;
  private int end;

  Http1Input(InputStream in) {
    this.in = in;
  }

  /** Waits for the next byte; false at the end. */
  boolean await() throws IOException {
    return at < end || fill();
  }

  /** Bytes that are here already. */
  int buffered() {
    return end - at;
  }

  /** As of {@link InputStream}; at least one byte if it returns more than 0. */
  int read(byte[] bytes, int offset, int length) throws IOException {
    if (at == end && length >= MAX_BUFFER_BYTES) {
      return in.read(bytes, offset, length);
    }
    if (at == end && !fill()) {
      return -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(buffer, at, bytes, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    if (end == buffer.length && end < MAX_BUFFER_BYTES) {
      buffer = new byte[MAX_BUFFER_BYTES]; // there is much to read; most connections have little
    }
    at = 0;
    end = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }

  /** Text up to the end of a line, which is taken too. */
  String line() throws IOException {
    var line = new StringBuilder();
    while (line.length() < MAX_LINE_BYTES) {
      if (at == end && !fill()) {
        throw new EOFException("expected an answer, found the end of the connection");
      }
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      line.append(new String(buffer, from, at - from, StandardCharsets.ISO_8859_1));
      if (at < end) {
        at++;
        return line.toString().stripTrailing();
      }
    }
    throw new IOException("expected lines of at most " + MAX_LINE_BYTES + " bytes, found more");
  }

  /** Adds fields, up to the blank line after them, by their names in small letters. */
  void fields(Map<String, String> fields) throws IOException {
    for (int count = 0; count < MAX_FIELDS; count++) {
      String line = line();
      if (line.isEmpty()) {
        return;
      }
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new IOException("expected a header field, found \"" + line + "\"");
      }
      String name = lowerCase(line.substring(0, colon));
      fields.merge(name, line.substring(colon + 1).strip(), (one, two) -> one + ", " + two);
    }
    throw new IOException("expected at most " + MAX_FIELDS + " header fields, found more");
  }

  static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}

package io.cordwood.common.http.client;

import io.cordwood.common.http.BlockInput;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;

/**
 * A body in HTTP/1.1: of announced length, in chunks, or up to the connection's end. After the last
 * chunk are trailers, which become fields. One thread.
 */
final class Http1Body extends BlockInput {
  private static final int HEXADECIMAL = 16;

  /** The length of a body that ends with the connection. */
  private static final long UNKNOWN = -1;

  private final Http1Input input;
  private final Map<String, String> fields;
  private final boolean chunked;
  private long left;
  private boolean ended;
  private boolean hasChunk;

  /**
   * @param fields of the answer; trailers are added to them
   */
  Http1Body(Http1Input input, Map<String, String> fields) throws IOException {
    this.input = input;
    this.fields = fields;
    this.chunked = "chunked".equalsIgnoreCase(fields.get("transfer-encoding"));
    String length = fields.get("content-length");
    this.left = chunked ? 0 : length == null ? UNKNOWN : number(length, 10);
    this.ended = left == 0 && !chunked;
  }

  private static long number(String text, int radix) throws IOException {
    try {
      long number = Long.parseLong(text, radix);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IOException("expected the length of a body, found \"" + text + "\"", e);
    }
    throw new IOException("expected the length of a body, found \"" + text + "\"");
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (chunked && left == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int wanted = left == UNKNOWN ? length : (int) Math.min(length, left);
    int count = input.read(bytes, offset, wanted);
    if (count < 0 && left != UNKNOWN) {
      throw new EOFException("the connection ended before the answer did");
    }
    ended = count < 0 || (left == count && !chunked);
    left -= left == UNKNOWN ? 0 : count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (hasChunk) {
      input.line(); // ends the chunk before
    }
    hasChunk = true;
    String line = input.line();
    int extension = line.indexOf(';');
    left = number((extension < 0 ? line : line.substring(0, extension)).strip(), HEXADECIMAL);
    if (left == 0) {
      input.fields(fields);
      ended = true;
    }
  }

  @Override
  public int available() {
    return ended ? 0 : left == UNKNOWN ? input.buffered() : (int) Math.min(left, input.buffered());
  }
}

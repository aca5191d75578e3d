package io.cordwood.ingest.gelf;

import java.util.Arrays;

/**
 * Writes an object of JSON as it came, on one line: without spaces between its tokens, and with an
 * escape for a brace after a space, so that nothing in it looks like what stands beside a text.
 * Reusable; for one thread.
 */
final class OneLine {
  private static final byte[] BRACE = {'\\', 'u', '0', '0', '7', 'b'};

  private byte[] bytes = new byte[1 << 10];
  private int length;

  /**
   * Writes one.
   *
   * @param json well-formed
   */
  public void write(byte[] json, int from, int to) {
    length = 0;
    boolean inString = false;
    for (int at = from; at < to; at++) {
      byte each = json[at];
      if (each == '"') {
        inString = !inString;
      } else if (!inString && each <= ' ' && each >= 0) {
        continue;
      } else if (inString && each == '\\') {
        put(each);
        at++;
      } else if (inString && each == '{' && json[at - 1] == ' ') {
        for (byte escaped : BRACE) {
          put(escaped);
        }
        continue;
      }
      put(json[at]);
    }
  }

  private void put(byte each) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = each;
  }

  /** The bytes that were written; the array may be longer. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }
}

package io.cordwood.ingest.sender;

import java.nio.ByteBuffer;

/**
 * A payload without its blank lines: those of nothing but LF or CR LF, which some senders use to
 * keep a connection alive. Made by copying, for the few payloads that hold any.
 *
 * @param payload what is left
 * @param lines that are left
 * @param blankLines that were dropped
 * @param blankBytes of them
 */
record BlankLines(ByteBuffer payload, int lines, int blankLines, int blankBytes) {

  /**
   * Drops what is blank.
   *
   * @param payload whole lines
   * @param bytes of it
   */
  static BlankLines dropFrom(ByteBuffer[] payload, int bytes) {
    var all = ByteBuffer.allocate(bytes);
    for (ByteBuffer part : payload) {
      all.put(part.duplicate());
    }
    return dropFrom(all.array());
  }

  private static BlankLines dropFrom(byte[] bytes) {
    int kept = 0;
    int lines = 0;
    int blank = 0;
    for (int start = 0, i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') {
        continue;
      }
      int length = i - start;
      if (length == 0 || (length == 1 && bytes[start] == '\r')) {
        blank++;
      } else {
        System.arraycopy(bytes, start, bytes, kept, length + 1);
        kept += length + 1;
        lines++;
      }
      start = i + 1;
    }
    return new BlankLines(ByteBuffer.wrap(bytes, 0, kept), lines, blank, bytes.length - kept);
  }
}

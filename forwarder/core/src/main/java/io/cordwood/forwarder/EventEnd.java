package io.cordwood.forwarder;

/**
 * The end that a layout gives each event: LF, or CR LF where lines end so, or NUL, also a NUL after
 * or before such a line end. It is no part of the record.
 */
final class EventEnd {
  private static final byte LF = '\n';
  private static final byte CR = '\r';
  private static final byte NUL = 0;

  /** Elsewhere, a CR at the end of a message is the message's own. */
  private static final boolean CR_ENDS_LINES = System.lineSeparator().equals("\r\n");

  private EventEnd() {}

  static int lengthWithout(byte[] bytes, int offset, int length) {
    int withoutNul = withoutNul(bytes, offset, length);
    int withoutLineEnd = withoutLineEnd(bytes, offset, withoutNul);
    return withoutNul < length ? withoutLineEnd : withoutNul(bytes, offset, withoutLineEnd);
  }

  private static int withoutNul(byte[] bytes, int offset, int length) {
    return length > 0 && bytes[offset + length - 1] == NUL ? length - 1 : length;
  }

  private static int withoutLineEnd(byte[] bytes, int offset, int length) {
    if (length == 0 || bytes[offset + length - 1] != LF) {
      return length;
    }
    boolean hasCr = CR_ENDS_LINES && length > 1 && bytes[offset + length - 2] == CR;
    return hasCr ? length - 2 : length - 1;
  }
}

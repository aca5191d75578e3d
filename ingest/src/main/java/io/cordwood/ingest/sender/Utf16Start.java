package io.cordwood.ingest.sender;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;

/**
 * Lines in UTF-16, which searches would not find, recognized by ASCII at the beginning, after a
 * mark or without: each second byte is NUL.
 */
final class Utf16Start {
  private static final int MOST_BYTES = 16;
  private static final int LEAST_BYTES = 6;

  private Utf16Start() {}

  /**
   * Looks at the first bytes of a connection.
   *
   * @param ended whether nothing more will come
   * @return whether they are something else, which cannot be told yet if not
   * @throws RefusedException if they are lines in UTF-16
   */
  static boolean isOther(byte[] start, boolean ended) throws RefusedException {
    int seen = Math.min(start.length, MOST_BYTES);
    if (seen >= 2 && isMark(start)) {
      return isMarkedOnly(start, seen) && (seen == MOST_BYTES || ended);
    }
    if (!isAscii(start, seen, 0) && !isAscii(start, seen, 1)) {
      return start.length > 1 || ended || (start[0] != (byte) 0xFF && start[0] != (byte) 0xFE);
    }
    if (seen == MOST_BYTES || (ended && seen >= LEAST_BYTES)) {
      throw refused();
    }
    return ended;
  }

  /** Whether no byte is NUL: then it may be anything that begins with the bytes of a mark. */
  private static boolean isMarkedOnly(byte[] start, int length) throws RefusedException {
    for (int i = 2; i < length; i++) {
      if (start[i] == 0) {
        throw refused();
      }
    }
    return true;
  }

  private static boolean isMark(byte[] start) {
    int mark = (start[0] & 0xFF) << 8 | (start[1] & 0xFF);
    return mark == 0xFEFF || mark == 0xFFFE;
  }

  /** Whether each pair of bytes, as far as it is there, is a character of text. */
  private static boolean isAscii(byte[] start, int length, int low) {
    for (int i = 0; i < length; i++) {
      byte value = start[i];
      boolean good =
          i % 2 == low
              ? value >= ' ' || value == '\t' || value == '\r' || value == '\n'
              : value == 0;
      if (!good) {
        return false;
      }
    }
    return true;
  }

  private static RefusedException refused() {
    return new RefusedException(
        RejectReason.UTF_16,
        "expected lines in UTF-8, found UTF-16: 'iconv -f UTF-16 -t UTF-8' converts them, and so"
            + " does cordwood forward");
  }
}

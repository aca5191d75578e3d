package io.cordwood.cli.encoding;

import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of lines, recognized by their first bytes: by a mark, or UTF-16 by ASCII. Whoever
 * reads lines passes them on in UTF-8, without a mark.
 */
public enum TextEncoding {
  /** As it is. */
  PLAIN(null, 0),
  UTF_8(null, 3),
  UTF_16LE(ByteOrder.LITTLE_ENDIAN, 2),
  UTF_16BE(ByteOrder.BIG_ENDIAN, 2),
  UNMARKED_LE(ByteOrder.LITTLE_ENDIAN, 0),
  UNMARKED_BE(ByteOrder.BIG_ENDIAN, 0);

  /** Three characters of ASCII in UTF-16: fewer are not recognized without a mark. */
  public static final int HEAD_BYTES = 6;

  /** Enough to distinguish UTF-16 from binary data; more are not looked at. */
  public static final int MOST_HEAD_BYTES = 16;

  private final @Nullable ByteOrder utf16;
  private final int markBytes;

  TextEncoding(@Nullable ByteOrder utf16, int markBytes) {
    this.utf16 = utf16;
    this.markBytes = markBytes;
  }

  /**
   * The encoding of lines that begin with some bytes.
   *
   * @param head an array that may be longer
   * @param length how many of them are there
   */
  public static TextEncoding of(byte[] head, int length) {
    if (begins(head, length, 0xEF, 0xBB, 0xBF)) {
      return UTF_8;
    } else if (begins(head, length, 0xFE, 0xFF)) {
      return UTF_16BE;
    } else if (begins(head, length, 0xFF, 0xFE) && !begins(head, length, 0xFF, 0xFE, 0, 0)) {
      return UTF_16LE; // Four such bytes are the mark of UTF-32.
    } else if (isAscii(head, length, 0)) {
      return UNMARKED_LE;
    }
    return isAscii(head, length, 1) ? UNMARKED_BE : PLAIN;
  }

  private static boolean begins(byte[] head, int length, int... mark) {
    boolean begins = length >= mark.length;
    for (int i = 0; begins && i < mark.length; i++) {
      begins = (head[i] & 0xFF) == mark[i];
    }
    return begins;
  }

  /** Whether each pair of bytes is a character of text, with the low byte there. */
  private static boolean isAscii(byte[] head, int length, int low) {
    for (int i = 0; i + 1 < Math.min(length, MOST_HEAD_BYTES); i += 2) {
      byte value = head[i + low];
      if (head[i + 1 - low] != 0 || value <= 0 || (value < ' ' && "\t\r\n".indexOf(value) < 0)) {
        return false;
      }
    }
    return length >= HEAD_BYTES;
  }

  /** Whether it was recognized without a mark, so that it may be binary data. */
  public boolean isGuessed() {
    return utf16 != null && markBytes == 0;
  }

  /** How many bytes of the beginning are no text. */
  public int markBytes() {
    return markBytes;
  }

  /** The order of the bytes of UTF-16; empty if it is UTF-8, or not known. */
  public Optional<ByteOrder> utf16() {
    return Optional.ofNullable(utf16);
  }

  /** The text that comes after the mark, in UTF-8. */
  public InputStream utf8(InputStream text) {
    return utf16 == null ? text : new Utf8Input(text, utf16);
  }
}

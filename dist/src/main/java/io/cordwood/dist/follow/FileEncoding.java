package io.cordwood.dist.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a file, told by its first bytes: by its mark, or UTF-16 by ASCII. Lines are sent
 * in UTF-8, without a mark, as {@code cordwood grep FILE} reads them.
 */
public enum FileEncoding {
  /** As it is. */
  PLAIN(null, 0),
  UTF_8(null, 3),
  UTF_16LE(ByteOrder.LITTLE_ENDIAN, 2),
  UTF_16BE(ByteOrder.BIG_ENDIAN, 2),
  UNMARKED_LE(ByteOrder.LITTLE_ENDIAN, 0),
  UNMARKED_BE(ByteOrder.BIG_ENDIAN, 0);

  /** Three characters of ASCII in UTF-16. */
  public static final int HEAD_BYTES = 6;

  private final @Nullable ByteOrder order;
  private final int markBytes;

  FileEncoding(@Nullable ByteOrder order, int markBytes) {
    this.order = order;
    this.markBytes = markBytes;
  }

  /**
   * Lines in UTF-8.
   *
   * @param bytes an array with room before the lines, and for a byte after them
   * @param length of the lines
   * @param markBytes of the file before them
   * @param isWide whether each character is two bytes of the file
   */
  record Lines(byte[] bytes, int length, int markBytes, boolean isWide) {
    /** As many bytes of the file as the first ones of these are. */
    int inFile(int at, int count) {
      return count == 0
          ? 0
          : markBytes
              + (isWide
                  ? 2 * new String(bytes, at, count, StandardCharsets.UTF_8).length()
                  : count);
    }
  }

  /** The encoding of a file, which may change until it has six bytes. */
  static FileEncoding of(FileChannel file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    Content.read(file, head, 0);
    return of(head.array(), head.position());
  }

  /**
   * The encoding of lines that begin with some bytes.
   *
   * @param head an array of {@link #HEAD_BYTES}
   * @param length how many of them are there
   */
  public static FileEncoding of(byte[] head, int length) {
    if (begins(head, length, 0xEF, 0xBB, 0xBF)) {
      return UTF_8;
    } else if (begins(head, length, 0xFE, 0xFF)) {
      return UTF_16BE;
    } else if (begins(head, length, 0xFF, 0xFE) && !begins(head, length, 0xFF, 0xFE, 0, 0)) {
      return UTF_16LE;
    } else if (length == HEAD_BYTES && isAscii(head, 0)) {
      return UNMARKED_LE;
    }
    return length == HEAD_BYTES && isAscii(head, 1) ? UNMARKED_BE : PLAIN;
  }

  private static boolean begins(byte[] head, int length, int... mark) {
    boolean begins = length >= mark.length;
    for (int i = 0; begins && i < mark.length; i++) {
      begins = (head[i] & 0xFF) == mark[i];
    }
    return begins;
  }

  /** Whether each pair of bytes is a character of text, with the low byte there. */
  private static boolean isAscii(byte[] head, int low) {
    for (int i = 0; i < head.length; i += 2) {
      byte value = head[i + low];
      if (head[i + 1 - low] != 0 || value <= 0 || (value < ' ' && "\t\r\n".indexOf(value) < 0)) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes of the beginning are no text. */
  public int markBytes() {
    return markBytes;
  }

  /** The charset of what comes after the mark; empty if that is UTF-8 or not known. */
  public Optional<Charset> utf16() {
    return Optional.ofNullable(order)
        .map(o ->
            o == ByteOrder.LITTLE_ENDIAN ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE);
  }

  /** As many bytes of the file as surely are no more than this number in UTF-8. */
  int most(int bytes) {
    return order == null ? bytes : bytes / 3 * 2;
  }

  /**
   * The lines that bytes of the file are.
   *
   * @param from where in the file they begin
   */
  Lines lines(byte[] bytes, int at, int length, long from) {
    int mark = from == 0 ? Math.min(markBytes, length) : 0;
    if (order == null && mark == 0) {
      return new Lines(bytes, length, 0, false);
    }
    byte[] lines =
        order == null
            ? Arrays.copyOfRange(bytes, at + mark, at + length)
            : utf8(ByteBuffer.wrap(bytes, at + mark, length - mark).order(order));
    byte[] array = new byte[at + lines.length + 1];
    System.arraycopy(lines, 0, array, at, lines.length);
    return new Lines(array, lines.length, mark, order != null);
  }

  /** Each two bytes are a char, also where they are no text, so that chars can be counted back. */
  private static byte[] utf8(ByteBuffer utf16) {
    String chars = utf16.asCharBuffer().toString();
    boolean isOdd = utf16.remaining() % 2 != 0;
    return (isOdd ? chars + '\uFFFD' : chars).getBytes(StandardCharsets.UTF_8);
  }
}

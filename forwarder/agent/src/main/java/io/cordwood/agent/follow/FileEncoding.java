package io.cordwood.agent.follow;

import io.cordwood.cli.encoding.TextEncoding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The encoding of a followed file, whose lines are sent in UTF-8, without a mark, as {@code
 * cordwood grep FILE} reads them.
 */
record FileEncoding(TextEncoding text) {
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
    ByteBuffer head = ByteBuffer.allocate(TextEncoding.HEAD_BYTES);
    Content.read(file, head, 0);
    return new FileEncoding(TextEncoding.of(head.array(), head.position()));
  }

  /** Whether lines are sent as they stand in the file, also its first one. */
  boolean isOfBytes() {
    return text.utf16().isEmpty() && text.markBytes() == 0;
  }

  /** As many bytes of the file as surely are no more than this number in UTF-8. */
  int most(int bytes) {
    return text.utf16().isEmpty() ? bytes : bytes / 3 * 2;
  }

  /**
   * The lines that bytes of the file are.
   *
   * @param from where in the file they begin
   */
  Lines lines(byte[] bytes, int at, int length, long from) {
    int mark = from == 0 ? Math.min(text.markBytes(), length) : 0;
    Optional<ByteOrder> utf16 = text.utf16();
    if (utf16.isEmpty() && mark == 0) {
      return new Lines(bytes, length, 0, false);
    }
    byte[] lines =
        utf16.isEmpty()
            ? Arrays.copyOfRange(bytes, at + mark, at + length)
            : utf8(ByteBuffer.wrap(bytes, at + mark, length - mark).order(utf16.get()));
    byte[] array = new byte[at + lines.length + 1];
    System.arraycopy(lines, 0, array, at, lines.length);
    return new Lines(array, lines.length, mark, utf16.isPresent());
  }

  /** Each two bytes are a char, also where they are no text, so that chars can be counted back. */
  private static byte[] utf8(ByteBuffer utf16) {
    String chars = utf16.asCharBuffer().toString();
    boolean isOdd = utf16.remaining() % 2 != 0;
    return (isOdd ? chars + '\uFFFD' : chars).getBytes(StandardCharsets.UTF_8);
  }
}

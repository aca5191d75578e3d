package io.cordwood.dist.files;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: gzip and zstd are
 * unpacked, UTF-16 is written anew, and the mark of UTF-8 is left out. UTF-16 without a mark is
 * told by ASCII at its beginning.
 */
final class LineInput {
  /** As many of the first bytes as are looked at. */
  static final int HEAD_BYTES = 6;

  /** Enough to tell UTF-16 from binary data; not waited for unless the head looks like it. */
  private static final int UNMARKED_BYTES = 16;

  private static final int BUFFER_BYTES = 64 << 10;

  private LineInput() {}

  /**
   * Looks at the beginning of a stream that can be reset, and reads it as what it is.
   *
   * @param name for messages
   * @param delimiter of the lines; where it is NUL, bytes that look like UTF-16 are lines
   * @throws IOException if it is packed in a way that is not read here; the message says what does
   */
  static InputStream of(String name, BufferedInputStream in, byte delimiter) throws IOException {
    byte[] head = head(in);
    if (begins(head, 0x1F, 0x8B)) {
      return unpacked(new GZIPInputStream(in, BUFFER_BYTES), delimiter);
    } else if (begins(head, 0x28, 0xB5, 0x2F, 0xFD)) {
      return unpacked(new ZstdInputStream(in), delimiter);
    } else if (begins(head, 0xFD, '7', 'z', 'X', 'Z', 0)) {
      throw packed(name, "xz");
    } else if (begins(head, 'B', 'Z', 'h') && head.length > 4 && head[4] == '1') {
      throw packed(name, "bzip2");
    } else if (begins(head, 0x04, 0x22, 0x4D, 0x18)) {
      throw packed(name, "lz4");
    }
    if (delimiter != 0 && isUnmarked(head)) {
      in.mark(UNMARKED_BYTES);
      head = in.readNBytes(UNMARKED_BYTES);
      in.reset();
    }
    return decoded(head, in, delimiter);
  }

  private static IOException packed(String name, String program) {
    return new IOException(
        "%s: expected lines, plain or packed by gzip or zstd, found %s; '%s -dc FILE | cordwood"
                .formatted(name, program, program)
            + " grep PATTERN -' searches them");
  }

  static byte[] head(BufferedInputStream in) throws IOException {
    in.mark(HEAD_BYTES);
    byte[] head = in.readNBytes(HEAD_BYTES);
    in.reset();
    return head;
  }

  /**
   * Not by a stream with a mark, which loses what it has read when the packed one ends too soon.
   */
  private static InputStream unpacked(InputStream unpacked, byte delimiter) throws IOException {
    var in = new PushbackInputStream(unpacked, UNMARKED_BYTES);
    byte[] head = in.readNBytes(UNMARKED_BYTES);
    in.unread(head);
    return decoded(head, in, delimiter);
  }

  private static InputStream decoded(byte[] head, InputStream in, byte delimiter)
      throws IOException {
    if (begins(head, 0xEF, 0xBB, 0xBF)) {
      in.skipNBytes(3);
    } else if (begins(head, 0xFE, 0xFF) || (begins(head, 0xFF, 0xFE) && !isUtf32(head))) {
      Charset utf16 = StandardCharsets.UTF_16; // It takes the mark, and the order from it.
      return new RewrittenInput(in, utf16);
    } else if (delimiter != 0 && isUnmarked(head)) {
      return new RewrittenInput(
          in, head[0] == 0 ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE);
    }
    return in;
  }

  /** Whether each unit is a character of ASCII, all of one byte order; of three at least. */
  private static boolean isUnmarked(byte[] head) {
    int zero = head.length > 0 && head[0] == 0 ? 0 : 1;
    for (int i = 0; i + 1 < head.length; i += 2) {
      byte low = head[i + 1 - zero];
      if (head[i + zero] != 0 || low <= 0 || (low < ' ' && "\t\r\n".indexOf(low) < 0)) {
        return false;
      }
    }
    return head.length >= HEAD_BYTES;
  }

  private static boolean isUtf32(byte[] head) {
    return begins(head, 0xFF, 0xFE, 0, 0);
  }

  private static boolean begins(byte[] head, int... magic) {
    boolean begins = head.length >= magic.length;
    for (int i = 0; begins && i < magic.length; i++) {
      begins = (head[i] & 0xFF) == magic[i];
    }
    return begins;
  }
}

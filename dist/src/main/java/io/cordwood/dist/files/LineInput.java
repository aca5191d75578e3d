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
 * unpacked, UTF-16 with a byte order mark is written anew, and the mark of UTF-8 is left out.
 */
final class LineInput {
  /** As many of the first bytes as are looked at. */
  static final int HEAD_BYTES = 6;

  private static final int BUFFER_BYTES = 64 << 10;

  private LineInput() {}

  /**
   * Looks at the beginning of a stream that can be reset, and reads it as what it is.
   *
   * @param name for messages
   * @throws IOException if it is packed in a way that is not read here; the message says what does
   */
  static InputStream of(String name, BufferedInputStream in) throws IOException {
    byte[] head = head(in);
    if (begins(head, 0x1F, 0x8B)) {
      return marked(new GZIPInputStream(in, BUFFER_BYTES));
    } else if (begins(head, 0x28, 0xB5, 0x2F, 0xFD)) {
      return marked(new ZstdInputStream(in));
    } else if (begins(head, 0xFD, '7', 'z', 'X', 'Z', 0)) {
      throw packed(name, "xz");
    } else if (begins(head, 'B', 'Z', 'h') && head.length > 4 && head[4] == '1') {
      throw packed(name, "bzip2");
    } else if (begins(head, 0x04, 0x22, 0x4D, 0x18)) {
      throw packed(name, "lz4");
    }
    return unmarked(head, in);
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
  private static InputStream marked(InputStream unpacked) throws IOException {
    var in = new PushbackInputStream(unpacked, HEAD_BYTES);
    byte[] head = in.readNBytes(HEAD_BYTES);
    in.unread(head);
    return unmarked(head, in);
  }

  private static InputStream unmarked(byte[] head, InputStream in) throws IOException {
    if (begins(head, 0xEF, 0xBB, 0xBF)) {
      in.skipNBytes(3);
    } else if (begins(head, 0xFE, 0xFF) || (begins(head, 0xFF, 0xFE) && !isUtf32(head))) {
      Charset utf16 = StandardCharsets.UTF_16; // It takes the mark, and the order from it.
      return new RewrittenInput(in, utf16);
    }
    return in;
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

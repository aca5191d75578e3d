package io.cordwood.agent;

import io.cordwood.cli.encoding.TextEncoding;
import io.cordwood.common.http.BlockInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: UTF-16 is written
 * anew, and the mark of UTF-8 is left out, as {@code cordwood grep FILE} does. What has come is
 * given on at once. One thread.
 */
final class DecodedInput extends BlockInput {
  private final InputStream in;
  private @Nullable InputStream lines;

  DecodedInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    InputStream decoded = lines;
    if (decoded == null) {
      decoded = decoded();
      lines = decoded;
    }
    return decoded.read(target, offset, length);
  }

  private InputStream decoded() throws IOException {
    byte[] head = new byte[TextEncoding.HEAD_BYTES];
    int length = 0;
    int count = 0;
    while (count >= 0
        && length < TextEncoding.HEAD_BYTES
        && (length == 0 || mayBeMore(head, length))) {
      count = in.read(head, length, TextEncoding.HEAD_BYTES - length);
      length += Math.max(count, 0);
    }
    TextEncoding encoding = TextEncoding.of(head, length);
    byte[] begin = Arrays.copyOfRange(head, encoding.markBytes(), length);
    return encoding.utf8(new SequenceInputStream(new ByteArrayInputStream(begin), in));
  }

  /** Whether more bytes could tell another encoding; a first letter alone waits for none. */
  private static boolean mayBeMore(byte[] head, int length) {
    int first = head[0] & 0xFF;
    if (first == 0xEF || first == 0xFE || first == 0xFF || first == 0) {
      return true;
    }
    return length > 1 && head[1] == 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

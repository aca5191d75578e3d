package io.cordwood.dist.forward;

import io.cordwood.dist.follow.FileEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: UTF-16 is written
 * anew, and the mark of UTF-8 is left out, as {@code cordwood grep FILE} does. What has come is
 * given on at once. One thread.
 */
final class DecodedInput extends InputStream {
  private static final int CHARS = 16 << 10;

  private final InputStream in;
  private final char[] chars = new char[CHARS + 1];
  private @Nullable InputStream plain;
  private @Nullable InputStreamReader reader;
  private byte[] bytes = {};
  private int at;

  DecodedInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (plain == null && reader == null) {
      begin();
    }
    if (plain != null) {
      return plain.read(target, offset, length);
    }
    if (length == 0) {
      return 0;
    }
    if (at == bytes.length && !(reader != null && fill(reader))) {
      return -1;
    }
    int count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, count);
    at += count;
    return count;
  }

  private void begin() throws IOException {
    byte[] head = new byte[FileEncoding.HEAD_BYTES];
    int length = 0;
    int count = 0;
    while (count >= 0
        && length < FileEncoding.HEAD_BYTES
        && (length == 0 || mayBeMore(head, length))) {
      count = in.read(head, length, FileEncoding.HEAD_BYTES - length);
      length += Math.max(count, 0);
    }
    FileEncoding encoding = FileEncoding.of(head, length);
    InputStream text =
        new SequenceInputStream(
            new ByteArrayInputStream(Arrays.copyOfRange(head, encoding.markBytes(), length)), in);
    Optional<Charset> utf16 = encoding.utf16();
    if (utf16.isPresent()) {
      reader = new InputStreamReader(text, utf16.get());
    } else {
      plain = text;
    }
  }

  /** Whether more bytes could tell another encoding; a first letter alone waits for none. */
  private static boolean mayBeMore(byte[] head, int length) {
    int first = head[0] & 0xFF;
    if (first == 0xEF || first == 0xFE || first == 0xFF || first == 0) {
      return true;
    }
    return length > 1 && head[1] == 0;
  }

  private boolean fill(InputStreamReader text) throws IOException {
    int count = text.read(chars, 0, CHARS);
    if (count < 0) {
      return false;
    }
    if (Character.isHighSurrogate(chars[count - 1]) && text.read(chars, count, 1) == 1) {
      count++;
    }
    bytes = new String(chars, 0, count).getBytes(StandardCharsets.UTF_8);
    at = 0;
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

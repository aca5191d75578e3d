package io.cordwood.agent;

import io.cordwood.cli.encoding.TextEncoding;
import io.cordwood.common.http.BlockInput;
import io.cordwood.common.wire.ForeignBytes;
import io.cordwood.common.wire.ForeignBytesException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: UTF-16 is written
 * anew, and the mark of UTF-8 is left out, as {@code cordwood grep FILE} does. What has come is
 * given on at once. What is no lines, as its first bytes say, is not given on. One thread.
 */
final class DecodedInput extends BlockInput {
  private final InputStream in;
  private final ForeignBytes.Check check;
  private @Nullable InputStream lines;

  /** One that takes nothing packed. */
  DecodedInput(InputStream in) {
    this(in, ForeignBytes::areUnpacked);
  }

  /** One whose reads fail with a {@link ForeignBytesException} if it begins otherwise. */
  DecodedInput(InputStream in, ForeignBytes.Check check) {
    this.in = in;
    this.check = check;
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
    byte[] head = new byte[ForeignBytes.MAX_BYTES];
    int length = 0;
    int count = 0;
    while (count >= 0 && length < head.length && !isKnown(head, length)) {
      count = in.read(head, length, head.length - length);
      length += Math.max(count, 0);
    }
    check.areLines(Arrays.copyOf(head, length), count < 0);
    TextEncoding encoding = TextEncoding.of(head, Math.min(length, TextEncoding.HEAD_BYTES));
    byte[] begin = Arrays.copyOfRange(head, encoding.markBytes(), length);
    return encoding.utf8(new SequenceInputStream(new ByteArrayInputStream(begin), in));
  }

  private boolean isKnown(byte[] head, int length) throws ForeignBytesException {
    boolean isEncodingKnown = length >= TextEncoding.HEAD_BYTES || !mayBeMore(head, length);
    return length > 0 && isEncodingKnown && check.areLines(Arrays.copyOf(head, length), false);
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

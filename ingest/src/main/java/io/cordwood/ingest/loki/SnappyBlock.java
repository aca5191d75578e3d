package io.cordwood.ingest.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Unpacks Snappy's block format, without frames, in which copies may reach back to the beginning.
 *
 * <pre>
 *   length     as a varint
 *   ······00   a text of 1 to 60 bytes, or with 1 to 4 bytes of length; the bytes follow
 *   ······01   4 to 11 bytes again, from up to 2 KiB before
 *   ······10   1 to 64 bytes again, from up to 64 KiB before
 *   ······11   the same from anywhere
 * </pre>
 *
 * <p>The length is checked first; memory is taken as bytes come. For one block and thread.
 */
final class SnappyBlock implements AutoCloseable {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int MAX_LENGTH_BYTES = 5;
  private static final int LITERAL_LENGTH_FROM = 60;

  private final InputStream in;
  private final BufferedBytesLimit held;
  private final byte[] input = new byte[16 << 10];
  private int inputAt;
  private int inputEnd;
  private final int length;
  private byte[] out;
  private int size;

  /**
   * Reads the length.
   *
   * @param held counts the memory until this is closed
   * @param maxBytes of it, unpacked
   * @throws HttpError 413 if it is longer
   */
  SnappyBlock(InputStream in, BufferedBytesLimit held, int maxBytes) throws IOException {
    this.in = in;
    this.held = held;
    this.length = readLength(maxBytes);
    this.out = new byte[Math.min(length, FIRST_BYTES)];
    held.add(out.length);
  }

  private int readLength(int maxBytes) throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_LENGTH_BYTES; i++) {
      int each = next();
      value |= (each & 0x7fL) << (7 * i);
      if (each < 0x80) {
        if (value > maxBytes) {
          throw new HttpError(
              413, "body: expected at most " + maxBytes + " bytes, unpacked, found " + value);
        }
        return (int) value;
      }
    }
    throw bad("a length of at most 5 bytes", "more");
  }

  /**
   * Reads the rest.
   *
   * @throws HttpError 400 if it is no such block
   * @throws RefusedException if requests hold too much memory
   */
  byte[] unpack() throws IOException, RefusedException {
    while (hasMore()) {
      int tag = next();
      int top = tag >>> 2;
      switch (tag & 3) {
        case 0 -> literal(top < LITERAL_LENGTH_FROM ? top : number(top - LITERAL_LENGTH_FROM + 1));
        case 1 -> copy((top & 7) + 4, (tag >>> 5 << 8) | next());
        case 2 -> copy(top + 1, number(2));
        default -> copy(top + 1, number(4));
      }
    }
    if (size != length) {
      throw bad(length + " bytes", size + " bytes");
    }
    return out;
  }

  /** Little endian; what does not fit into 31 bits is negative or too large for any block. */
  private int number(int bytes) throws IOException {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= next() << (Byte.SIZE * i);
    }
    return value;
  }

  private void literal(int lengthLessOne) throws IOException, RefusedException {
    int bytes = lengthLessOne + 1;
    if (lengthLessOne < 0 || bytes < 0 || bytes > length - size) {
      throw bad("at most " + (length - size) + " more bytes", Integer.toUnsignedString(bytes));
    }
    int left = bytes;
    while (left > 0) {
      if (!hasMore()) {
        throw bad(left + " more bytes", "its end");
      }
      int part = Math.min(left, inputEnd - inputAt);
      room(part);
      System.arraycopy(input, inputAt, out, size, part);
      inputAt += part;
      size += part;
      left -= part;
    }
  }

  private void copy(int bytes, int back) throws RefusedException {
    if (back <= 0 || back > size) {
      throw bad("a copy from within " + size + " bytes", Integer.toUnsignedString(back));
    }
    if (bytes > length - size) {
      throw bad("at most " + (length - size) + " more bytes", Integer.toString(bytes));
    }
    room(bytes);
    int from = size - back;
    if (back >= bytes) {
      System.arraycopy(out, from, out, size, bytes);
    } else {
      for (int i = 0; i < bytes; i++) {
        out[size + i] = out[from + i];
      }
    }
    size += bytes;
  }

  private void room(int more) throws RefusedException {
    if (size + more <= out.length) {
      return;
    }
    if (held.isTooMuch(out.length)) {
      throw new RefusedException(
          RejectReason.MEMORY,
          "requests and connections hold too much memory; send it again later");
    }
    int larger = (int) Math.min(length, Math.max(2L * out.length, (long) size + more));
    held.add(larger - out.length);
    out = Arrays.copyOf(out, larger);
  }

  @Override
  public void close() {
    held.add(-out.length);
  }

  private int next() throws IOException {
    if (!hasMore()) {
      throw bad("more", "its end");
    }
    return input[inputAt++] & 0xff;
  }

  private boolean hasMore() throws IOException {
    if (inputAt == inputEnd) {
      inputAt = 0;
      inputEnd = Math.max(0, in.read(input));
    }
    return inputAt < inputEnd;
  }

  private HttpError bad(String expected, String found) {
    return new HttpError(
        400,
        "body: expected a block of Snappy, with %s after its byte %d, found %s"
            .formatted(expected, size, found));
  }
}

package io.cordwood.ingest.protobuf;

import io.cordwood.common.http.server.HttpError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads messages of protocol buffers, field by field, in the order in which they come. A field
 * whose value is not asked for is passed over.
 *
 * <pre>
 *   while (reader.next()) {
 *     switch (reader.field()) {
 *       case 1 -> time = reader.fixed64();
 *       case 2 -> name = reader.text();
 *       case 3 -> {
 *         long outer = reader.enter();
 *         …                              // the fields of the message in this field
 *         reader.leave(outer);
 *       }
 *       default -> {}
 *     }
 *   }
 * </pre>
 *
 * <p>All methods throw {@link HttpError} 400 if the bytes are not as they must be, and 413 for a
 * value that is too long, before memory is taken for it. Holds one value at a time. For one thread.
 */
public final class ProtoReader {
  /** Messages within messages; as most readers have it. */
  private static final int MAX_DEPTH = 100;

  private static final int FIRST_BYTES = 16 << 10;
  private static final int TYPE_BITS = 3;
  private static final int MAX_VARINT_BITS = 64;
  private static final int MAX_FIELD = (1 << 29) - 1;

  private final InputStream in;
  private final long maxValueBytes;
  private byte[] buffer;

  /** The buffer's place in the whole. */
  private long base;

  private int at;
  private int end;

  /** The end of the message, in the whole. */
  private long limit = Long.MAX_VALUE;

  private int depth;
  private int field;
  private WireType type = WireType.VARINT;
  private boolean pending;
  private int from;

  private enum WireType {
    VARINT,
    FIXED64,
    LENGTH,
    FIXED32
  }

  /**
   * Reads a message that ends where the stream does.
   *
   * @param maxValueBytes longest text, or other value that is asked for whole
   */
  public ProtoReader(InputStream in, int maxValueBytes) {
    this.in = in;
    this.maxValueBytes = maxValueBytes;
    this.buffer = new byte[FIRST_BYTES];
  }

  /** Reads a message that stands in an array, which must not be changed meanwhile. */
  public ProtoReader(byte[] bytes, int from, int to) {
    this.in = InputStream.nullInputStream();
    this.maxValueBytes = bytes.length;
    this.buffer = bytes;
    this.at = from;
    this.end = to;
    this.limit = to;
  }

  /**
   * Reads the message that {@link #load} has read, as deep as it is in this one. To be called only
   * if this reader reads from an array.
   */
  public ProtoReader nested() {
    var reader = new ProtoReader(buffer, from, at);
    reader.depth = depth + 1;
    reader.checkDepth();
    return reader;
  }

  /** Goes to the next field of the message; false at its end. */
  public boolean next() throws IOException {
    if (pending) {
      pass();
    }
    if (position() == limit || (limit == Long.MAX_VALUE && isAtEnd())) {
      return false;
    }
    long tag = readVarint();
    long number = tag >>> TYPE_BITS;
    if (number == 0 || number > MAX_FIELD) {
      throw bad("a field's number", Long.toUnsignedString(number));
    }
    field = (int) number;
    type = typeOf((int) tag & ((1 << TYPE_BITS) - 1));
    pending = true;
    return true;
  }

  private WireType typeOf(int bits) {
    return switch (bits) {
      case 0 -> WireType.VARINT;
      case 1 -> WireType.FIXED64;
      case 2 -> WireType.LENGTH;
      case 5 -> WireType.FIXED32;
      default -> throw bad("a field of type 0, 1, 2 or 5", "type " + bits);
    };
  }

  /** The number of the field. */
  public int field() {
    return field;
  }

  /** The value of a field that is a whole number, a boolean or an enumeration. */
  public long varint() throws IOException {
    take(WireType.VARINT);
    return readVarint();
  }

  /** The value of a field of eight bytes: a number, or the bits of a double. */
  public long fixed64() throws IOException {
    take(WireType.FIXED64);
    return littleEndian(Long.BYTES);
  }

  /** The value of a field of four bytes. */
  public int fixed32() throws IOException {
    take(WireType.FIXED32);
    return (int) littleEndian(Integer.BYTES);
  }

  /** The value of a field that is a text; what is not UTF-8 becomes U+FFFD. */
  public String text() throws IOException {
    load();
    return new String(buffer, from, at - from, StandardCharsets.UTF_8);
  }

  /** The value of a field that is bytes, copied. */
  public byte[] bytes() throws IOException {
    load();
    return Arrays.copyOfRange(buffer, from, at);
  }

  /**
   * Reads the value of a field that is bytes, a text or a message, which then stands in {@link
   * #buffer} until this reader is used again.
   */
  public void load() throws IOException {
    long length = length();
    if (length > maxValueBytes) {
      throw new HttpError(
          413,
          "protobuf, field %d at byte %d: expected at most %d bytes, found %d"
              .formatted(field, position(), maxValueBytes, length));
    }
    load((int) length);
  }

  /** As {@link #load}, but passes over a value that is too long; false then. */
  public boolean loadIfShort() throws IOException {
    long length = length();
    if (length > maxValueBytes) {
      skip(length);
      return false;
    }
    load((int) length);
    return true;
  }

  private void load(int length) throws IOException {
    need(length);
    from = at;
    at += length;
  }

  /** Has the bytes that {@link #load} has read. */
  public byte[] buffer() {
    return buffer;
  }

  /** Their beginning. */
  public int from() {
    return from;
  }

  /** Their end. */
  public int to() {
    return at;
  }

  /**
   * Goes into a field that is a message: its fields are the next ones.
   *
   * @return to be given to {@link #leave}
   */
  public long enter() throws IOException {
    long outer = limit;
    long length = length();
    depth++;
    checkDepth();
    limit = position() + length;
    return outer;
  }

  private void checkDepth() {
    if (depth > MAX_DEPTH) {
      throw bad("at most " + MAX_DEPTH + " messages in each other", "more");
    }
  }

  /** Goes out of it; what was not read of it is passed over. */
  public void leave(long outer) throws IOException {
    pending = false;
    skip(limit - position());
    limit = outer;
    depth--;
  }

  private void take(WireType expected) {
    if (type != expected || !pending) {
      throw bad("%s in field %d".formatted(expected, field), pending ? type.name() : "none");
    }
    pending = false;
  }

  /** The length of a value, all of which is within the message. */
  private long length() throws IOException {
    take(WireType.LENGTH);
    long length = readVarint();
    if (length < 0 || length > limit - position()) {
      throw bad("a length within its message in field " + field, Long.toUnsignedString(length));
    }
    return length;
  }

  private void pass() throws IOException {
    switch (type) {
      case VARINT -> {
        var _ = varint();
      }
      case FIXED64 -> {
        var _ = fixed64();
      }
      case FIXED32 -> {
        var _ = fixed32();
      }
      case LENGTH -> skip(length());
    }
  }

  private void skip(long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      need(1);
      int step = (int) Math.min(left, end - at);
      at += step;
      left -= step;
    }
  }

  private long readVarint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
      int each = readByte();
      value |= (each & 0x7fL) << shift;
      if (each < 0x80) {
        return value;
      }
    }
    throw bad("a number of at most 10 bytes", "more");
  }

  private int readByte() throws IOException {
    if (position() == limit) {
      throw bad("more of a field", "the end of its message");
    }
    need(1);
    return buffer[at++] & 0xff;
  }

  private long littleEndian(int bytes) throws IOException {
    if (bytes > limit - position()) {
      throw bad("%d bytes in field %d".formatted(bytes, field), "the end of its message");
    }
    need(bytes);
    long value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (buffer[at + i] & 0xff);
    }
    at += bytes;
    return value;
  }

  private long position() {
    return base + at;
  }

  private boolean isAtEnd() throws IOException {
    return at == end && !fill();
  }

  /** Has a number of bytes in the buffer, which grows only as they come. */
  private void need(int bytes) throws IOException {
    while (end - at < bytes) {
      if (!fill()) {
        throw bad((bytes - (end - at)) + " more bytes in field " + field, "the end");
      }
    }
  }

  private boolean fill() throws IOException {
    if (at == end) {
      base += at;
      at = 0;
      end = 0;
    } else if (end == buffer.length) {
      makeRoom();
    }
    int count = in.read(buffer, end, buffer.length - end);
    end += Math.max(count, 0);
    return count > 0;
  }

  private void makeRoom() {
    byte[] target = at < buffer.length / 2 ? new byte[2 * buffer.length] : buffer;
    System.arraycopy(buffer, at, target, 0, end - at);
    buffer = target;
    base += at;
    end -= at;
    at = 0;
  }

  private HttpError bad(String expected, String found) {
    return new HttpError(
        400, "protobuf, at byte %d: expected %s, found %s".formatted(position(), expected, found));
  }
}

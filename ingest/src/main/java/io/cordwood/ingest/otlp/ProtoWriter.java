package io.cordwood.ingest.otlp;

import java.util.Arrays;

/** Writes one message of protocol buffers. Reusable; for one thread. */
final class ProtoWriter {
  private static final int FIRST_BYTES = 1 << 10;
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;
  private static final int TYPE_BITS = 3;

  /** The length of a message is written after it, in as many bytes as the longest has. */
  private static final int LENGTH_BYTES = 5;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  void clear() {
    size = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void varint(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    tag(field, FIXED64);
    littleEndian(value, Long.BYTES);
  }

  void fixed32(int field, int value) {
    tag(field, FIXED32);
    littleEndian(value, Integer.BYTES);
  }

  void bytes(int field, byte[] value) {
    tag(field, LENGTH);
    varint(value.length);
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  /** Begins a message; returns what {@link #end} needs. */
  int begin(int field) {
    tag(field, LENGTH);
    room(LENGTH_BYTES);
    size += LENGTH_BYTES;
    return size;
  }

  void end(int begun) {
    int length = size - begun;
    for (int i = LENGTH_BYTES; i > 0; i--) {
      int more = i > 1 ? 0x80 : 0;
      bytes[begun - i] = (byte) ((length & 0x7f) | more);
      length >>>= 7;
    }
  }

  private void tag(int field, int type) {
    varint((long) field << TYPE_BITS | type);
  }

  private void varint(long value) {
    room(10);
    long left = value;
    while ((left & ~0x7fL) != 0) {
      bytes[size++] = (byte) ((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  private void littleEndian(long value, int length) {
    room(length);
    for (int i = 0; i < length; i++) {
      bytes[size++] = (byte) (value >>> (Byte.SIZE * i));
    }
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}

package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of MessagePack in an array, one head after the other, and makes no objects of them.
 * Reusable; for one thread.
 */
final class Packed {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int FIRST_NEGATIVE = 0xe0;
  private static final int FIRST_CODE = 0xc0;

  /** Bytes of a head, by its first byte from 0xc0 to 0xdf; 0 if there is none such. */
  private static final int[] HEAD_BYTES = {
    1, 0, 1, 1, 2, 3, 5, 3, 4, 6, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 2, 2, 2, 2, 2, 2, 3, 5, 3, 5, 3, 5
  };

  private byte[] bytes = {};
  private int at;
  private int end;
  private Kind kind = Kind.NIL;
  private long number;
  private double real;
  private int from;
  private int length;
  private int extension;

  /** The kinds of values. */
  enum Kind {
    NIL,
    FALSE,
    TRUE,
    SIGNED,
    UNSIGNED,
    FLOAT,
    DOUBLE,
    STRING,
    BINARY,
    EXTENSION,
    ARRAY,
    MAP;

    /** Whether bytes follow its head. */
    boolean hasBytes() {
      return this == STRING || this == BINARY || this == EXTENSION;
    }

    boolean isText() {
      return this == STRING || this == BINARY;
    }
  }

  /** Reads what stands between two places. */
  Packed over(byte[] array, int start, int stop) {
    bytes = array;
    at = start;
    end = stop;
    return this;
  }

  /** Another one at the same place. */
  Packed copy() {
    return copy(at);
  }

  /** Another one at some place. */
  Packed copy(int place) {
    return new Packed().over(bytes, place, end);
  }

  /** Bytes of the head that begins with this one; 0 if none does. */
  static int headBytes(byte first) {
    int code = first & 0xff;
    return code < FIRST_CODE || code >= FIRST_NEGATIVE ? 1 : HEAD_BYTES[code - FIRST_CODE];
  }

  /** Goes on at a place. */
  void skipTo(int place) {
    at = place;
  }

  boolean hasMore() {
    return at < end;
  }

  /** Bytes from here to the end. */
  int size() {
    return end - at;
  }

  /** The place at which the next value begins. */
  int at() {
    return at;
  }

  byte[] array() {
    return bytes;
  }

  /** Reads a value; of an array or a map only the head. */
  Kind next() throws RefusedException {
    Kind read = head();
    if (read.hasBytes()) {
      if (length > end - at) {
        throw malformed("a value at byte %d that ends", at, "one that does not");
      }
      at += length;
    }
    return read;
  }

  /** Reads a head, as far as which all must be there. */
  Kind head() throws RefusedException {
    int head = at < end ? headBytes(bytes[at]) : 0;
    if (head == 0 || head > end - at) {
      String found = at < end ? "code 0x%02x".formatted(bytes[at]) : "the end";
      throw malformed("a value of MessagePack at byte %d", at, found);
    }
    int code = bytes[at] & 0xff;
    kind = code < FIRST_CODE || code >= FIRST_NEGATIVE ? small(code) : coded(code, at + 1);
    at += head;
    from = at;
    return kind;
  }

  private Kind small(int code) {
    if (code < 0x80 || code >= FIRST_NEGATIVE) {
      number = (byte) code;
      return Kind.SIGNED;
    }
    length = code < 0xa0 ? code & 0x0f : code & 0x1f;
    return code < 0x90 ? Kind.MAP : code < 0xa0 ? Kind.ARRAY : Kind.STRING;
  }

  private Kind coded(int code, int value) throws RefusedException {
    return switch (code) {
      case 0xc0 -> Kind.NIL;
      case 0xc2 -> Kind.FALSE;
      case 0xc3 -> Kind.TRUE;
      case 0xc4, 0xc5, 0xc6 -> sized(Kind.BINARY, unsigned(code - 0xc4, value));
      case 0xc7, 0xc8, 0xc9 -> extension(unsigned(code - 0xc7, value), bytes[at + head(code) - 1]);
      case 0xca -> real(Kind.FLOAT, Float.intBitsToFloat((int) INT.get(bytes, value)));
      case 0xcb -> real(Kind.DOUBLE, Double.longBitsToDouble((long) LONG.get(bytes, value)));
      case 0xcc, 0xcd, 0xce -> number(Kind.UNSIGNED, unsigned(code - 0xcc, value));
      case 0xcf -> number(Kind.UNSIGNED, (long) LONG.get(bytes, value));
      case 0xd0 -> number(Kind.SIGNED, bytes[value]);
      case 0xd1 -> number(Kind.SIGNED, (short) SHORT.get(bytes, value));
      case 0xd2 -> number(Kind.SIGNED, (int) INT.get(bytes, value));
      case 0xd3 -> number(Kind.SIGNED, (long) LONG.get(bytes, value));
      case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> extension(1L << (code - 0xd4), bytes[value]);
      case 0xd9, 0xda, 0xdb -> sized(Kind.STRING, unsigned(code - 0xd9, value));
      case 0xdc, 0xdd -> sized(Kind.ARRAY, unsigned(code - 0xdb, value));
      default -> sized(Kind.MAP, unsigned(code - 0xdd, value));
    };
  }

  private static int head(int code) {
    return HEAD_BYTES[code - FIRST_CODE];
  }

  /** A number of 1, 2 or 4 bytes, by the logarithm of that. */
  private long unsigned(int size, int value) {
    return switch (size) {
      case 0 -> bytes[value] & 0xff;
      case 1 -> (short) SHORT.get(bytes, value) & 0xffff;
      default -> Integer.toUnsignedLong((int) INT.get(bytes, value));
    };
  }

  private Kind sized(Kind read, long size) throws RefusedException {
    if (size > Integer.MAX_VALUE) {
      throw malformed("fewer than %d bytes or elements", Integer.MAX_VALUE, Long.toString(size));
    }
    length = (int) size;
    return read;
  }

  private Kind extension(long size, byte type) throws RefusedException {
    extension = type;
    return sized(Kind.EXTENSION, size);
  }

  private Kind real(Kind read, double value) {
    real = value;
    return read;
  }

  private Kind number(Kind read, long value) {
    number = value;
    return read;
  }

  /** Passes a value with all that is in it, however deep. */
  void skip() throws RefusedException {
    for (long left = 1; left > 0; left--) {
      Kind read = next();
      left += read == Kind.ARRAY ? length : read == Kind.MAP ? 2L * length : 0;
    }
  }

  /** The whole number that was read last. */
  long number() {
    return number;
  }

  double real() {
    return real;
  }

  /** Bytes or elements or pairs of the value that was read last. */
  int length() {
    return length;
  }

  /** The place at which the bytes of the value begin that was read last. */
  int from() {
    return from;
  }

  int to() {
    return from + length;
  }

  /** The eight bytes of the value that was read last, as a number. */
  long longOf() {
    return (long) LONG.get(bytes, from);
  }

  int extension() {
    return extension;
  }

  /** The bytes that were read last, as a text. */
  String text() {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }

  /** Whether the value that was read last is this text. */
  boolean is(String ascii) {
    if (!kind.isText() || length != ascii.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[from + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Finds a value of a map; a copy that is at it, or null. */
  @Nullable Packed find(String name) throws RefusedException {
    Packed in = copy();
    if (in.next() != Kind.MAP) {
      return null;
    }
    for (int left = in.length; left > 0; left--) {
      if (in.keyIs(name)) {
        return in;
      }
      in.skip();
    }
    return null;
  }

  /** Passes a key of whatever kind, and says whether it is this text. */
  private boolean keyIs(String name) throws RefusedException {
    int start = at;
    boolean found = next().isText() && is(name);
    at = start;
    skip();
    return found;
  }

  private static RefusedException malformed(String expected, int at, String found) {
    return new RefusedException(
        RejectReason.CORRUPT, "expected " + expected.formatted(at) + ", found " + found);
  }
}

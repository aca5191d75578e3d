package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * One entry in a file of Docker's driver {@code local}. Read again for each entry.
 *
 * <pre>
 *   4 bytes length, big-endian │ message of protocol buffers │ 4 bytes the length again
 *
 *   message: 1 source, text   2 time in ns, varint   3 line, bytes   4 is a piece, varint
 *            5 message of a piece: 1 is the last, varint
 * </pre>
 */
final class LocalEntry {
  /** The bytes of a file that show that it is one. */
  static final int START_BYTES = 12;

  /** Larger than any that Docker writes, whose pieces have up to 16 KiB. */
  static final int MOST_BYTES = 256 << 10;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** The value for an entry that goes on after the bytes. */
  static final int NOT_WHOLE = -1;

  private static final int NO_ENTRY = -2;
  private static final byte[] SOURCE = {(1 << 3) | 2, 6, 's', 't', 'd'};
  private static final byte[][] ENDS = {"out".getBytes(US_ASCII), "err".getBytes(US_ASCII)};
  private static final int MOST_VARINT_BITS = 63;

  int stream;
  long millis;
  int from;
  int to;
  boolean isPart;

  private int at;
  private boolean isBad;

  /** Whether bytes are the first ones of an entry. */
  static boolean begins(byte[] bytes, int at, int to) {
    if (to - at < START_BYTES) {
      return false;
    }
    int length = (int) INT.get(bytes, at);
    return length >= START_BYTES - Integer.BYTES
        && length <= MOST_BYTES
        && streamAt(bytes, at + Integer.BYTES) > 0;
  }

  private static int streamAt(byte[] bytes, int at) {
    for (int i = 0; i < SOURCE.length; i++) {
      if (bytes[at + i] != SOURCE[i]) {
        return 0;
      }
    }
    for (int i = 0; i < ENDS.length; i++) {
      byte[] end = ENDS[i];
      int begin = at + SOURCE.length;
      if (Arrays.equals(bytes, begin, begin + end.length, end, 0, end.length)) {
        return i + 1;
      }
    }
    return 0;
  }

  /**
   * The end of an entry, or, where there is none, of what stands before the next one; {@link
   * #NOT_WHOLE} if that is not known yet.
   */
  static int end(byte[] bytes, int begin, int to) {
    int end = entryEnd(bytes, begin, to);
    if (end != NO_ENTRY) {
      return end;
    }
    for (int i = begin + 1; i + START_BYTES <= to; i++) {
      if (begins(bytes, i, to) && entryEnd(bytes, i, to) != NO_ENTRY) {
        return i;
      }
    }
    return to - begin > MOST_BYTES ? to : NOT_WHOLE;
  }

  private static int entryEnd(byte[] bytes, int begin, int to) {
    if (to - begin < Integer.BYTES) {
      return NOT_WHOLE;
    }
    int length = (int) INT.get(bytes, begin);
    if (length <= 0 || length > MOST_BYTES) {
      return NO_ENTRY;
    }
    int end = begin + Integer.BYTES + length;
    if (end + Integer.BYTES > to) {
      return NOT_WHOLE;
    }
    return (int) INT.get(bytes, end) == length ? end + Integer.BYTES : NO_ENTRY;
  }

  /** Reads an entry of which all bytes are there; false if it is none. */
  boolean read(byte[] bytes, int begin, int end) {
    if (end - begin < START_BYTES || entryEnd(bytes, begin, end) != end) {
      return false;
    }
    stream = 0;
    millis = ContainerTime.NONE;
    from = begin;
    to = begin;
    isPart = false;
    isBad = false;
    at = begin + Integer.BYTES;
    readMessage(bytes, end - Integer.BYTES, false);
    return !isBad && stream > 0;
  }

  private void readMessage(byte[] bytes, int end, boolean isOfPiece) {
    while (at < end && !isBad) {
      int fieldAt = at;
      long tag = varint(bytes, end);
      int field = (int) (tag >>> 3);
      switch ((int) (tag & 7)) {
        case 0 -> number(field, varint(bytes, end), isOfPiece);
        case 2 -> bytes(bytes, field, fieldAt, end, isOfPiece);
        case 1 -> pass(Long.BYTES, end);
        case 5 -> pass(Integer.BYTES, end);
        default -> isBad = true;
      }
    }
  }

  private void number(int field, long value, boolean isOfPiece) {
    if (isOfPiece) {
      isPart &= field != 1 || value == 0;
    } else if (field == 2) {
      millis = value <= 0 ? ContainerTime.NONE : TimeUnit.NANOSECONDS.toMillis(value);
    } else if (field == 4) {
      isPart = value != 0;
    }
  }

  private void bytes(byte[] bytes, int field, int fieldAt, int end, boolean isOfPiece) {
    long length = varint(bytes, end);
    int begin = at;
    pass(length, end);
    if (isBad || isOfPiece) {
      return;
    }
    switch (field) {
      case 1 -> stream = at - fieldAt == START_BYTES - Integer.BYTES ? streamAt(bytes, fieldAt) : 0;
      case 3 -> {
        from = begin;
        to = at;
      }
      case 5 -> {
        int after = at;
        at = begin;
        readMessage(bytes, after, true);
      }
      default -> {}
    }
  }

  private void pass(long count, int end) {
    isBad |= count < 0 || count > end - at;
    at = isBad ? end : at + (int) count;
  }

  private long varint(byte[] bytes, int end) {
    long value = 0;
    for (int shift = 0; shift <= MOST_VARINT_BITS && at < end; shift += 7) {
      byte next = bytes[at++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    isBad = true;
    return 0;
  }
}

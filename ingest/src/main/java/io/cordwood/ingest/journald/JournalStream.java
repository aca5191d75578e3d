package io.cordwood.ingest.journald;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.event.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the Journal Export Format, an entry at a time:
 *
 * <pre>
 *   entry = 1*field LF
 *   field = name "=" text LF
 *         / name LF length data LF        length: 64 bits, little-endian
 * </pre>
 *
 * An entry is held in memory, no more than came of it, whatever lengths it states. For one thread.
 */
final class JournalStream implements AutoCloseable {
  static final int MAX_ENTRY_BYTES = 64 << 20;

  /** As journald itself has it. */
  static final int MAX_FIELDS = 1024;

  private static final int FIRST_BYTES = 16 << 10;
  private static final VarHandle LENGTH =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final InputStream in;
  private final BufferedBytesLimit held;
  private byte[] buffer = new byte[FIRST_BYTES];

  /** The place at which the entry begins, and that of the next byte to look at. */
  private int from;

  private int at;
  private int limit;
  private long number;
  private int fields;

  /** Begin and end of each field's name, and of its value, from the begin of the entry. */
  private final int[] places = new int[4 * MAX_FIELDS];

  JournalStream(InputStream in, BufferedBytesLimit held) {
    this.in = in;
    this.held = held;
    held.add(buffer.length);
  }

  /**
   * Reads the next entry.
   *
   * @return whether there is one
   * @throws HttpError 400 if it is none or is cut off, 413 if it is too long
   */
  boolean next() throws IOException, RefusedException {
    from = at;
    fields = 0;
    number++;
    while (true) {
      int end = lineEnd();
      if (end < 0) {
        if (limit == from) {
          return false;
        }
        throw malformed("an empty line after its last field", "the end of the body");
      }
      if (end > at) {
        field(end);
      } else {
        at = end + 1;
        if (fields > 0) {
          return true;
        }
        from = at;
      }
    }
  }

  /** The next line feed; negative if the body ends before. */
  private int lineEnd() throws IOException, RefusedException {
    int offset = at - from;
    while (true) {
      while (from + offset < limit) {
        if (buffer[from + offset] == '\n') {
          return from + offset;
        }
        offset++;
      }
      if (!more()) {
        return -1;
      }
    }
  }

  private void field(int lineEnd) throws IOException, RefusedException {
    if (fields == MAX_FIELDS) {
      throw malformed("at most " + MAX_FIELDS + " fields", "more");
    }
    int equals = at;
    while (equals < lineEnd && buffer[equals] != '=') {
      equals++;
    }
    if (equals == at || !Utf8.is(buffer, at, equals)) {
      throw malformed("a field's name in UTF-8", "another line");
    }
    int place = 4 * fields++;
    places[place] = at - from;
    places[place + 1] = equals - from;
    if (equals < lineEnd) {
      places[place + 2] = equals + 1 - from;
      places[place + 3] = lineEnd - from;
      at = lineEnd + 1;
    } else {
      binary(place, lineEnd + 1 - from);
    }
  }

  private void binary(int place, int start) throws IOException, RefusedException {
    need(start + Long.BYTES);
    long length = (long) LENGTH.get(buffer, from + start);
    int data = start + Long.BYTES;
    if (length < 0 || length > MAX_ENTRY_BYTES - data - 1L) {
      throw tooLong(Long.toUnsignedString(length) + " in one field");
    }
    need(data + (int) length + 1);
    places[place + 2] = data;
    places[place + 3] = data + (int) length;
    at = from + places[place + 3];
    if (buffer[at] != '\n') {
      throw malformed(
          "a line feed after the %d bytes of %s".formatted(length, name(fields - 1)),
          "another byte");
    }
    at++;
  }

  private void need(int bytes) throws IOException, RefusedException {
    while (limit - from < bytes) {
      if (!more()) {
        throw malformed(bytes + " bytes", "the end of the body after " + (limit - from));
      }
    }
  }

  private boolean more() throws IOException, RefusedException {
    if (limit == buffer.length) {
      room();
    }
    int count = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(count, 0);
    return count >= 0;
  }

  private void room() throws RefusedException {
    int length = limit - from;
    int wanted = length <= FIRST_BYTES / 2 ? FIRST_BYTES : Math.min(2 * length, MAX_ENTRY_BYTES);
    if (length >= MAX_ENTRY_BYTES) {
      throw tooLong("more");
    }
    if (wanted > buffer.length && held.isTooMuch(buffer.length)) {
      throw new RefusedException(
          RejectReason.MEMORY, "the node holds too much of requests; try again later");
    }
    byte[] larger = wanted == buffer.length ? buffer : new byte[wanted];
    held.add(larger.length - buffer.length);
    System.arraycopy(buffer, from, larger, 0, length);
    buffer = larger;
    at -= from;
    limit = length;
    from = 0;
  }

  private HttpError malformed(String expected, String found) {
    return new HttpError(
        400, "entry %d of the body: expected %s, found %s".formatted(number, expected, found));
  }

  private HttpError tooLong(String found) {
    return new HttpError(
        413,
        "entry %d of the body: expected at most %d bytes, found %s"
            .formatted(number, MAX_ENTRY_BYTES, found));
  }

  int fields() {
    return fields;
  }

  byte[] array() {
    return buffer;
  }

  int nameFrom(int field) {
    return from + places[4 * field];
  }

  int nameTo(int field) {
    return from + places[4 * field + 1];
  }

  int valueFrom(int field) {
    return from + places[4 * field + 2];
  }

  int valueTo(int field) {
    return from + places[4 * field + 3];
  }

  String name(int field) {
    int start = nameFrom(field);
    return new String(buffer, start, nameTo(field) - start, StandardCharsets.UTF_8);
  }

  byte[] value(int field) {
    return Arrays.copyOfRange(buffer, valueFrom(field), valueTo(field));
  }

  boolean haveOneName(int one, int other) {
    return Arrays.equals(
        buffer, nameFrom(one), nameTo(one), buffer, nameFrom(other), nameTo(other));
  }

  boolean isUtf8(int field) {
    return Utf8.is(buffer, valueFrom(field), valueTo(field));
  }

  @Override
  public void close() {
    held.add(-buffer.length);
  }
}

package io.cordwood.ingest.fluent;

import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads whole values of MessagePack from a stream. A value is held in memory, no more than came of
 * it and no more than the limit, whatever lengths it states. For one thread.
 */
final class PackedStream implements AutoCloseable {
  private static final int FIRST_BYTES = 16 << 10;

  private final Source source;
  private final int maxBytes;
  private final BufferedBytesLimit held;
  private final Packed packed = new Packed();
  private byte[] buffer = new byte[FIRST_BYTES];
  private int from;
  private int end;
  private int limit;

  /** A source of bytes. */
  @FunctionalInterface
  interface Source {
    /** As {@link java.io.InputStream#read(byte[], int, int)}. */
    int read(byte[] into, int at, int length) throws IOException, RefusedException;
  }

  /**
   * @param maxBytes of one value
   * @param held what is held of all connections
   */
  PackedStream(Source source, int maxBytes, BufferedBytesLimit held) {
    this.source = source;
    this.maxBytes = maxBytes;
    this.held = held;
    held.add(buffer.length);
  }

  /**
   * Reads the next value.
   *
   * @return whether there is one; if not, the stream has ended after the one before
   * @throws RefusedException if it is none, is too long, or is cut off
   */
  boolean next() throws IOException, RefusedException {
    from = end;
    shrink();
    if (limit == from && !more(0)) {
      return false;
    }
    int length = 0;
    for (long left = 1; left > 0; left--) {
      need(length, 1);
      need(length, Math.max(1, Packed.headBytes(buffer[from + length])));
      Packed.Kind kind = packed.over(buffer, from + length, limit).head();
      length = packed.at() - from;
      if (kind.hasBytes()) {
        need(length, packed.length());
        length += packed.length();
      } else if (kind == Packed.Kind.ARRAY || kind == Packed.Kind.MAP) {
        left += kind == Packed.Kind.ARRAY ? packed.length() : 2L * packed.length();
        check(length + left - 1);
      }
    }
    end = from + length;
    return true;
  }

  /** The value that was read last. */
  Packed value() {
    return packed.over(buffer, from, end);
  }

  /** Whether some of the next value is here already. */
  boolean hasBegun() {
    return limit > end;
  }

  /** The place at which the value begins that was read last. */
  int from() {
    return from;
  }

  /** The place at which it ends. */
  int to() {
    return end;
  }

  byte[] array() {
    return buffer;
  }

  private void need(int length, int more) throws IOException, RefusedException {
    check((long) length + more);
    while (limit - from < length + more) {
      if (!more(length)) {
        throw new RefusedException(
            RejectReason.CUT,
            "expected the rest of a message, found the end after %d bytes of it"
                .formatted(limit - from));
      }
    }
  }

  private void check(long length) throws RefusedException {
    if (length > maxBytes) {
      throw new RefusedException(
          RejectReason.CORRUPT,
          "expected a message or record of at most %d bytes, found one of at least %d"
              .formatted(maxBytes, length));
    }
  }

  private boolean more(int length) throws IOException, RefusedException {
    if (limit == buffer.length) {
      room();
    }
    int count = source.read(buffer, limit, buffer.length - limit);
    limit += Math.max(count, 0);
    return count > 0 || (count == 0 && more(length));
  }

  private void room() throws RefusedException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
    } else {
      if (held.isTooMuch(buffer.length)) {
        throw new RefusedException(
            RejectReason.MEMORY,
            "the node holds too much of messages that have not ended; try again later");
      }
      held.add(buffer.length);
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    limit -= from;
    end = 0;
    from = 0;
  }

  /** Gives memory back that a large value took. */
  private void shrink() {
    int rest = limit - from;
    if (buffer.length > FIRST_BYTES && rest <= FIRST_BYTES / 2) {
      byte[] small = Arrays.copyOf(Arrays.copyOfRange(buffer, from, limit), FIRST_BYTES);
      held.add(small.length - buffer.length);
      buffer = small;
      from = 0;
      end = 0;
      limit = rest;
    }
  }

  @Override
  public void close() {
    held.add(-buffer.length);
  }
}

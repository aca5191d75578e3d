package io.cordwood.common.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks the batches of a file in the order of its bytes, checks each of them, and steps over damage
 * to the next intact one. Reads each byte once, in order.
 *
 * <p>Holds one buffer of at most a batch's largest size, from the first batch on. One thread.
 */
public final class BatchScanner {
  private static final int START_BYTES = 256 << 10;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Source source;
  private ByteBuffer window = NOTHING;
  private long windowAt;
  private long position;
  private long end;

  /** Bytes that are read by position. */
  @FunctionalInterface
  public interface Source {
    /** Fills the rest of the buffer from a position. */
    void read(ByteBuffer target, long position) throws IOException;
  }

  /** The next item in the bytes. */
  public sealed interface Item {}

  /**
   * An intact batch.
   *
   * @param bytes of the whole batch, from position 0; valid until the next call of {@link #next()}
   */
  public record Intact(long position, BatchHeader header, Origin origin, ByteBuffer bytes)
      implements Item {
    /** The position of the next item. */
    public long end() {
      return position + header.batchBytes();
    }

    /** The position of the payload. */
    public long payloadAt() {
      return end() - header.payloadBytes();
    }
  }

  /** Bytes that are no batch, up to the next intact one or up to the end. */
  public record Damage(long position, long length, CorruptException reason) implements Item {
    /** The position of the next item. */
    public long end() {
      return position + length;
    }
  }

  /** Nothing more. */
  public record End(long position) implements Item {}

  /**
   * @param from where the first batch begins
   * @param end of what may be read
   */
  public BatchScanner(Source source, long from, long end) {
    this.source = source;
    this.position = from;
    this.windowAt = from;
    this.end = end;
  }

  /** More may be read from now on: the file has grown. */
  public void growTo(long newEnd) {
    end = newEnd;
  }

  public Item next() throws IOException {
    if (position >= end) {
      return new End(position);
    }
    try {
      Intact found = read(position);
      position = found.end();
      return found;
    } catch (CorruptException e) {
      long from = position;
      position = nextIntact(from + 1);
      return new Damage(from, position - from, e);
    }
  }

  private Intact read(long at) throws IOException {
    fill(at, BatchHeader.BYTES);
    BatchHeader header = BatchHeader.parse(window, (int) (at - windowAt), at);
    fill(at, header.batchBytes());
    ByteBuffer bytes = window.slice((int) (at - windowAt), header.batchBytes());
    int payloadAt = BatchHeader.BYTES + header.originBytes();
    header.check(bytes, 0, at, bytes.slice(payloadAt, header.payloadBytes()));
    return new Intact(at, header, header.origin(bytes, 0, at), bytes);
  }

  /** The position of the first intact batch at or after {@code from}, or the end. */
  private long nextIntact(long from) throws IOException {
    for (long at = from; at < end; at++) {
      at = nextMagic(at);
      try {
        read(at);
        return at;
      } catch (CorruptException e) {
        // Bytes that look like a magic but begin no batch: the damage goes on.
      }
    }
    return end;
  }

  private long nextMagic(long from) throws IOException {
    long at = from;
    while (at <= end - BatchHeader.BYTES) {
      fill(at, BatchHeader.BYTES);
      int last = window.limit() - Integer.BYTES;
      for (int i = (int) (at - windowAt); i <= last; i++) {
        if (window.getInt(i) == BatchHeader.MAGIC) {
          return windowAt + i;
        }
      }
      at = windowAt + last + 1;
    }
    return end;
  }

  /** Makes {@code length} bytes from {@code at} stand in the window. */
  private void fill(long at, int length) throws IOException {
    if (at + length > end) {
      throw new CorruptException(
          at, "expected %d bytes of a batch, found %d before the end".formatted(length, end - at));
    }
    if (at >= windowAt && at + length <= windowAt + window.limit()) {
      return;
    }
    int kept = keepFrom(at, length);
    int limit = (int) Math.min(window.capacity(), end - at);
    windowAt = at;
    window.limit(kept); // All that is there if reading fails.
    source.read(window.duplicate().limit(limit).position(kept), at + kept);
    window.limit(limit);
  }

  /** Moves what the window holds from a position on to its start; how many bytes that is. */
  private int keepFrom(long at, int length) {
    boolean known = at >= windowAt && at < windowAt + window.limit();
    ByteBuffer rest = window.position(known ? (int) (at - windowAt) : window.limit());
    if (length > window.capacity()) {
      window = ByteBuffer.allocate(capacityFor(length, end - at)).put(rest);
    } else {
      rest.compact();
    }
    return window.position();
  }

  private static int capacityFor(int length, long rest) {
    int power = Integer.highestOneBit(length) << 1;
    int start = (int) Math.min(START_BYTES, rest);
    return Math.min(Math.max(power, start), BatchHeader.MAX_BATCH_BYTES);
  }
}

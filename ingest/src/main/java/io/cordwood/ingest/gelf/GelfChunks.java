package io.cordwood.ingest.gelf;

import io.cordwood.ingest.BufferedBytesLimit;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages together that come in chunks, in whatever order. For one thread.
 *
 * <pre>
 *   1e 0f │ 8 bytes id of the message │ number of the chunk, from 0 │ number of chunks, 1 to 128 │ part
 * </pre>
 *
 * <p>What is not whole after {@link #PATIENCE_NANOS}, or is too much, is given up, oldest first.
 */
final class GelfChunks {
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Bytes of all parts that wait for others. */
  static final int MAX_BYTES = 8 << 20;

  private static final int MAX_CHUNKS = 128;
  private static final int HEAD_BYTES = 12;

  /** A part takes so much besides its bytes. */
  private static final int PART_BYTES = 64;

  private final LongSupplier clock;
  private final BufferedBytesLimit held;
  private final LongConsumer givenUp;
  private final Map<Key, Parts> waiting = new LinkedHashMap<>();
  private int bytes;

  /** The message that a chunk is of. */
  private record Key(InetAddress sender, long id) {}

  /** Parts of one message. */
  private static final class Parts {
    private final long sinceNanos;
    private final byte[] @Nullable [] parts;
    private int missing;
    private int bytes;

    Parts(int count, long sinceNanos) {
      this.parts = new byte[count][];
      this.missing = count;
      this.sinceNanos = sinceNanos;
    }

    int size() {
      return bytes + PART_BYTES * parts.length;
    }

    byte[] whole() {
      var all = new ByteArrayOutputStream(bytes);
      for (byte[] part : parts) {
        all.writeBytes(part == null ? new byte[0] : part);
      }
      return all.toByteArray();
    }
  }

  /**
   * @param clock in nanoseconds
   * @param givenUp takes the bytes of each message that is
   */
  GelfChunks(LongSupplier clock, BufferedBytesLimit held, LongConsumer givenUp) {
    this.clock = clock;
    this.held = held;
    this.givenUp = givenUp;
  }

  static boolean isChunk(byte[] datagram, int length) {
    return length >= 2 && datagram[0] == 0x1e && datagram[1] == 0x0f;
  }

  /**
   * Takes a chunk; returns the message if it was the last that was missing.
   *
   * @throws NotGelfException if it is not as a chunk must be
   */
  Optional<byte[]> take(byte[] datagram, int length, InetAddress sender) throws NotGelfException {
    if (length < HEAD_BYTES) {
      throw new NotGelfException("expected a chunk of 12 bytes or more, found " + length);
    }
    int number = datagram[10] & 0xff;
    int count = datagram[11] & 0xff;
    if (count == 0 || count > MAX_CHUNKS || number >= count) {
      throw new NotGelfException(
          "expected chunk 0 to 127 of 1 to 128, found chunk " + number + " of " + count);
    }
    byte[] part = Arrays.copyOfRange(datagram, HEAD_BYTES, length);
    if (count == 1) {
      return Optional.of(part);
    }
    var key = new Key(sender, ByteBuffer.wrap(datagram).getLong(2));
    return add(key, number, count, part);
  }

  private Optional<byte[]> add(Key key, int number, int count, byte[] part)
      throws NotGelfException {
    Parts known = waiting.get(key);
    if (known == null) {
      known = new Parts(count, clock.getAsLong());
      waiting.put(key, known);
      hold(known.size());
    }
    if (known.parts.length != count) {
      throw new NotGelfException(
          "expected a chunk of %d, as those before it, found one of %d"
              .formatted(known.parts.length, count));
    }
    if (known.parts[number] != null) {
      return Optional.empty(); // UDP may bring it twice.
    }
    known.parts[number] = part;
    known.bytes += part.length;
    known.missing--;
    hold(part.length);
    if (known.missing == 0) {
      waiting.remove(key);
      hold(-known.size());
      return Optional.of(known.whole());
    }
    giveUp(false);
    return Optional.empty();
  }

  private void hold(int change) {
    bytes += change;
    held.add(change);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Gives up what has waited for too long, and what is too much. */
  void giveUp(boolean all) {
    Iterator<Parts> oldestFirst = waiting.values().iterator();
    long now = clock.getAsLong();
    while (oldestFirst.hasNext()) {
      Parts next = oldestFirst.next();
      if (!all && bytes <= MAX_BYTES && now - next.sinceNanos < PATIENCE_NANOS) {
        return;
      }
      oldestFirst.remove();
      hold(-next.size());
      givenUp.accept(next.bytes);
    }
  }
}

package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks the batches of a source in the order of its bytes, checks each of them, and steps over
 * damage to the next intact one. Reads each byte once, in order.
 *
 * <p>Holds one buffer of at most a batch's largest size. One thread.
 */
public final class BatchScanner {
  private static final int START_BYTES = 256 << 10;

  private final ByteSource source;
  private final long end;
  private ByteBuffer window = ByteBuffer.allocate(START_BYTES).limit(0);
  private long windowAt;
  private long position;

  /** The next item in the bytes. */
  public sealed interface Item {}

  /** An intact batch; its payload is valid until the next call of {@link #next()}. */
  public record Intact(long position, Batch batch) implements Item {}

  /** Bytes that are no batch, up to the next intact one or up to the end. */
  public record Damage(long position, long length, CorruptException reason) implements Item {}

  /** Nothing more. */
  public record End(long position) implements Item {}

  /** Scans {@code source} from {@code from} to its present end. */
  public BatchScanner(ByteSource source, long from) throws IOException {
    this.source = source;
    this.position = from;
    this.windowAt = from;
    this.end = source.size();
  }

  public Item next() throws IOException {
    if (position >= end) {
      return new End(position);
    }
    try {
      Batch batch = read(position);
      var found = new Intact(position, batch);
      position += sizeOf(batch);
      return found;
    } catch (CorruptException e) {
      long from = position;
      position = nextIntact(from + 1);
      return new Damage(from, position - from, e);
    }
  }

  private static long sizeOf(Batch batch) {
    return (long) BatchHeader.BYTES + batch.topic().bytes().length + batch.payload().remaining();
  }

  private Batch read(long at) throws IOException {
    fill(at, BatchHeader.BYTES);
    BatchHeader header = BatchHeader.parse(window, (int) (at - windowAt), at);
    fill(at, header.batchBytes());
    return Batch.read(header, window, (int) (at - windowAt), at);
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
    window.limit((int) Math.min(window.capacity(), end - at));
    source.read(window.position(kept), at + kept);
    window.flip();
    windowAt = at;
  }

  /** Moves what the window holds from a position on to its start; how many bytes that is. */
  private int keepFrom(long at, int length) {
    boolean known = at >= windowAt && at < windowAt + window.limit();
    ByteBuffer rest = window.position(known ? (int) (at - windowAt) : window.limit());
    if (length > window.capacity()) {
      window = ByteBuffer.allocate(BatchHeader.MAX_BATCH_BYTES).put(rest);
    } else {
      rest.compact();
    }
    return window.position();
  }
}

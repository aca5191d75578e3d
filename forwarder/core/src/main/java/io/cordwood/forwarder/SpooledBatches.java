package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of an ingest segment, of which any byte may be wrong: after damage it goes on
 * with the next batch that is intact. One thread.
 */
final class SpooledBatches {
  /** The header of a segment, before its batches. */
  static final int FILE_HEADER_BYTES = 32;

  private static final int SEARCH_BYTES = 1 << 16;

  private final FileChannel channel;
  private long at = FILE_HEADER_BYTES;
  private long damagedBytes;

  SpooledBatches(FileChannel channel) {
    this.channel = channel;
  }

  /** Bytes that were passed over so far, since they are of no intact batch. */
  long damagedBytes() {
    return damagedBytes;
  }

  /** The place at which the next batch is looked for. */
  long position() {
    return at;
  }

  /**
   * The bytes of the next intact batch, in an array of their own; null at the end.
   *
   * @param end of what is written
   */
  byte @Nullable [] next(long end) throws IOException {
    byte[] batch = at < end ? intact(at, end) : null;
    while (batch == null && at < end) {
      long found = nextMagic(at + 1, end);
      damagedBytes += found - at;
      at = found;
      batch = at < end ? intact(at, end) : null;
    }
    at += batch == null ? 0 : batch.length;
    return batch;
  }

  private byte @Nullable [] intact(long from, long end) throws IOException {
    if (end - from < Batch.HEADER_BYTES) {
      return null;
    }
    byte[] header = new byte[Batch.HEADER_BYTES];
    read(ByteBuffer.wrap(header), from);
    long length = BatchCheck.length(header);
    if (length < 0 || length > end - from) {
      return null;
    }
    byte[] batch = new byte[(int) length];
    read(ByteBuffer.wrap(batch), from);
    return BatchCheck.isIntact(batch) ? batch : null;
  }

  /** The place at which the next batch may begin, or the end. */
  private long nextMagic(long from, long end) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(SEARCH_BYTES);
    for (long start = from; end - start >= Integer.BYTES; ) {
      piece.clear().limit((int) Math.min(SEARCH_BYTES, end - start));
      read(piece, start);
      int last = piece.position() - Integer.BYTES;
      for (int i = 0; i <= last; i++) {
        if (piece.getInt(i) == Batch.MAGIC) {
          return start + i;
        }
      }
      start += last + 1;
    }
    return end;
  }

  private void read(ByteBuffer into, long from) throws IOException {
    long position = from;
    while (into.hasRemaining()) {
      int count = channel.read(into, position);
      if (count < 0) {
        throw new IOException("expected more bytes at " + position + ", found the file's end");
      }
      position += count;
    }
  }
}

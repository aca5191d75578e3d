package io.cordwood.common.file;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that are read by position: a file, or an array in a test. Safe for many threads. */
public interface ByteSource {
  /** Bytes in all. */
  long size() throws IOException;

  /**
   * Fills the rest of the buffer from a position.
   *
   * @throws java.io.EOFException if the source ends before the buffer is full
   */
  void read(ByteBuffer target, long position) throws IOException;

  /** A source over a buffer's remaining bytes, which must not change any more. */
  static ByteSource of(ByteBuffer buffer) {
    return new OfBuffer(buffer.slice());
  }

  /** These bytes for a reader that closes them; closing has no effect. */
  default Unclosed unclosed() {
    return new Unclosed(this);
  }

  /** A source that stays open when it is closed. */
  record Unclosed(ByteSource source) implements ByteSource, Closeable {
    @Override
    public long size() throws IOException {
      return source.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      source.read(target, position);
    }

    @Override
    public void close() {}
  }

  /** A source in memory. */
  record OfBuffer(ByteBuffer buffer) implements ByteSource {
    @Override
    public long size() {
      return buffer.capacity();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      int length = target.remaining();
      if (position < 0 || position + length > buffer.capacity()) {
        throw new EOFException(
            "expected %d bytes at %d, found the end at %d"
                .formatted(length, position, buffer.capacity()));
      }
      target.put(buffer.slice((int) position, length));
    }
  }
}

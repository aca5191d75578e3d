package io.cordwood.common.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A source in memory. */
record BufferSource(ByteBuffer buffer) implements ByteSource {
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

package io.cordwood.log4j2;

import java.nio.ByteBuffer;
import org.apache.logging.log4j.core.layout.ByteBufferDestination;

/**
 * One event as a layout encodes it, in memory that is used again. Owned by one thread at a time.
 */
final class EventBytes implements ByteBufferDestination {
  private static final int FIRST_BYTES = 1 << 12;

  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES);

  @Override
  public ByteBuffer getByteBuffer() {
    return buffer;
  }

  /** A layout has filled it, and has more. */
  @Override
  public ByteBuffer drain(ByteBuffer full) {
    makeRoom(buffer.capacity());
    return buffer;
  }

  @Override
  public void writeBytes(ByteBuffer data) {
    makeRoom(data.remaining());
    buffer.put(data);
  }

  @Override
  public void writeBytes(byte[] data, int offset, int length) {
    makeRoom(length);
    buffer.put(data, offset, length);
  }

  private void makeRoom(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      int doubled = (int) Math.min(2L * buffer.capacity(), Integer.MAX_VALUE - 8);
      buffer = ByteBuffer.allocate(Math.max(needed, doubled)).put(buffer.flip());
    }
  }

  byte[] array() {
    return buffer.array();
  }

  /** How many bytes of the array the event has. */
  int length() {
    return buffer.position();
  }

  int capacity() {
    return buffer.capacity();
  }

  void clear() {
    buffer.clear();
  }
}

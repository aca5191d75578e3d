package io.cordwood.common.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** One message on a connection: an i32 length, then that many bytes. */
final class Frame {
  /** The most bytes of a message, before it is sealed. */
  static final int MAX_BYTES = 64 * 1024;

  private Frame() {}

  static ByteBuf of(ByteBufAllocator allocator, byte[] bytes) {
    return allocator.buffer(Integer.BYTES + bytes.length).writeInt(bytes.length).writeBytes(bytes);
  }
}

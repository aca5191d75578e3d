package io.cordwood.common.http;

import io.netty.channel.WriteBufferWaterMark;

/** Both ends of a connection in HTTP/2 keep to these, beyond what the protocol demands. */
public final class Http2Frames {
  /** Memory of a connection that sends a part of a frame, and no more. */
  public static final int USUAL_BYTES = 64 << 10;

  /**
   * Between nodes, of bulk bytes: few frames cost less. Of a frame nothing is seen before its last
   * byte has come, so it must not take long on a slow link either.
   */
  public static final int BULK_BYTES = 256 << 10;

  /** Bytes that a connection for bulk has ready for its socket; no frame is larger. */
  public static final WriteBufferWaterMark BULK_READY =
      new WriteBufferWaterMark(BULK_BYTES, 4 * BULK_BYTES);

  /**
   * A setting of our own: the server does not count resets. Who does not know it ignores it, as RFC
   * 9113, 6.5.2 has it.
   */
  public static final char RESETS_UNCOUNTED = 0xf0c0;

  private Http2Frames() {}
}

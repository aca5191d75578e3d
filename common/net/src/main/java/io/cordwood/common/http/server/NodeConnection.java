package io.cordwood.common.http.server;

import io.cordwood.common.http.Http2Frames;
import io.netty.channel.Channel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AttributeKey;

/**
 * Knowledge of the client at the other end of an HTTP/2 connection: whether it is a node of the
 * cluster, and whether it takes frames that only bulk bytes fill. Called on the connection's event
 * loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write ends in channelInactive
final class NodeConnection {
  private static final AttributeKey<Boolean> IS_NODE =
      AttributeKey.valueOf(NodeConnection.class, "is node");
  private static final AttributeKey<Boolean> TAKES_BULK =
      AttributeKey.valueOf(NodeConnection.class, "takes bulk");

  private NodeConnection() {}

  /**
   * Its key or certificate has shown that the client is a node: it may send frames of bulk bytes,
   * and break off any number of calls, and is sent settings that say so.
   *
   * @param channel of a stream; nothing is to be done for a connection of HTTP/1.1
   */
  static void trust(Channel channel) {
    if (channel instanceof Http2StreamChannel
        && channel.parent().attr(IS_NODE).getAndSet(true) == null) {
      Channel connection = channel.parent();
      var settings = new Http2Settings().maxFrameSize(Http2Frames.BULK_BYTES);
      settings.put(Http2Frames.RESETS_UNCOUNTED, Long.valueOf(1));
      connection.writeAndFlush(new DefaultHttp2SettingsFrame(settings));
      // Large frames would be copied, piece by piece.
      connection
          .pipeline()
          .get(Http2FrameCodec.class)
          .setCumulator(ByteToMessageDecoder.COMPOSITE_CUMULATOR);
    }
  }

  static boolean isTrusted(Channel connection) {
    return connection.hasAttr(IS_NODE);
  }

  /** Takes note of what the client has said about itself. */
  static void read(Http2Settings settings, Channel connection) {
    Integer frameBytes = settings.maxFrameSize();
    if (frameBytes != null && frameBytes >= Http2Frames.BULK_BYTES) {
      connection.attr(TAKES_BULK).set(true);
      connection.config().setWriteBufferWaterMark(Http2Frames.BULK_READY);
    }
  }

  /**
   * Bytes that fill a frame to the client.
   *
   * @param channel of a stream, or of a connection of HTTP/1.1
   */
  static int frameBytes(Channel channel) {
    return channel instanceof Http2StreamChannel && channel.parent().hasAttr(TAKES_BULK)
        ? Http2Frames.BULK_BYTES
        : ResponseMemoryBudget.USUAL_BYTES;
  }
}

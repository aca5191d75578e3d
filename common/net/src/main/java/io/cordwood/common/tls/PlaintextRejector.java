package io.cordwood.common.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * First on a connection of a TLS port: looks at the first byte. Who sends plain text is answered in
 * plain text, and still read for a moment, since a reset could undo the answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class PlaintextRejector extends ChannelInboundHandlerAdapter {
  private static final long LINGER_MILLIS = 1000;

  private final HandshakeLog log;
  private final String answer;
  private boolean refused;

  /**
   * @param answer to plain text
   */
  PlaintextRejector(HandshakeLog log, String answer) {
    this.log = log;
    this.answer = answer;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    ByteBuf bytes = (ByteBuf) message;
    if (bytes.isReadable() && TlsHello.isPlain(bytes.getUnsignedByte(bytes.readerIndex()))) {
      bytes.release();
      refuse(ctx);
    } else {
      ctx.fireChannelRead(message);
      if (!ctx.isRemoved()) {
        ctx.pipeline().remove(this);
      }
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (refused) {
      ctx.read();
    } else {
      ctx.fireChannelReadComplete();
    }
  }

  private void refuse(ChannelHandlerContext ctx) {
    refused = true;
    log.plain(ctx.channel().remoteAddress());
    ctx.pipeline().remove(HandshakeMetrics.class);
    ctx.writeAndFlush(Unpooled.copiedBuffer(answer, UTF_8))
        .addListener(_ -> shutdownSocket(ctx.channel()));
    ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  static void shutdownSocket(Channel channel) {
    if (channel instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
    }
  }
}

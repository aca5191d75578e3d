package io.cordwood.common.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.AttributeKey;
import java.nio.channels.ClosedChannelException;

/** Counts how the handshake of a connection ends, and notes what certificate its client has. */
final class HandshakeMetrics extends ChannelInboundHandlerAdapter {
  static final AttributeKey<PeerCertificate> PEER =
      AttributeKey.valueOf(HandshakeMetrics.class, "peer certificate");

  private final HandshakeLog log;

  HandshakeMetrics(HandshakeLog log) {
    this.log = log;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent end) {
      ended(ctx, end);
    }
    ctx.fireUserEventTriggered(event);
  }

  private void ended(ChannelHandlerContext ctx, SslHandshakeCompletionEvent end) {
    if (end.isSuccess()) {
      SslHandler handler = ctx.pipeline().get(SslHandler.class);
      ctx.channel().attr(PEER).set(PeerCertificate.of(handler.engine().getSession()));
      log.succeeded();
    } else if (end.cause() instanceof SslHandshakeTimeoutException) {
      log.late(ctx.channel().remoteAddress());
    } else if (!(end.cause() instanceof ClosedChannelException)) {
      log.failed(ctx.channel().remoteAddress(), end.cause());
    }
  }

  /**
   * The error of the handshake is logged already; the handlers after this one have nothing to add.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (ctx.channel().hasAttr(PEER)) {
      ctx.fireExceptionCaught(cause);
    } else {
      var _ = ctx.close();
    }
  }
}

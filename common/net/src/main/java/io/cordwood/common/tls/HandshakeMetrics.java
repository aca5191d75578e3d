package io.cordwood.common.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;

/** Counts how the handshake of a connection ends, and notes what certificate its client has. */
final class HandshakeMetrics extends ChannelInboundHandlerAdapter {
  private final PortTls port;

  HandshakeMetrics(PortTls port) {
    this.port = port;
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
      ctx.channel().attr(PortTls.PEER).set(PeerCertificate.of(handler.engine().getSession()));
      port.succeeded();
    } else if (end.cause() instanceof SslHandshakeTimeoutException) {
      port.late(ctx.channel().remoteAddress());
    } else if (!(end.cause() instanceof ClosedChannelException)) {
      port.failed(ctx.channel().remoteAddress(), end.cause());
    }
  }

  /**
   * The error of the handshake is logged already; the handlers after this one have nothing to add.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (ctx.channel().hasAttr(PortTls.PEER)) {
      ctx.fireExceptionCaught(cause);
    } else {
      var _ = ctx.close();
    }
  }
}

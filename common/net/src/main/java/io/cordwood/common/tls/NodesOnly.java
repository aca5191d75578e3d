package io.cordwood.common.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Consumer;

/**
 * Lets nobody pass who has shown a client's certificate: the same authority makes those, for people
 * and senders. Nothing is read from the connection before.
 */
final class NodesOnly extends ChannelInboundHandlerAdapter {
  private final SslHandler tls;
  private final Consumer<Channel> refuse;

  /**
   * @param tls of the same connection
   * @param refuse closes it
   */
  NodesOnly(SslHandler tls, Consumer<Channel> refuse) {
    this.tls = tls;
    this.refuse = refuse;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
      if (PeerCertificate.of(tls.engine().getSession()).node()) {
        ctx.pipeline().remove(this);
      } else {
        refuse.accept(ctx.channel());
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  /** Drops the bytes of a refused client whose connection is not closed yet. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
  }
}

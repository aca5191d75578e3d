package io.cordwood.common.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import java.util.Optional;

/**
 * The last handler of a connection that this node opened: waits for the peer's introduction, says
 * its own, and hands the connection to its {@link PeerLink}.
 *
 * <p>Peers answer messages on connections of their own: whatever comes after the introduction is
 * garbage. Runs on the gossip loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; the owner learns from the close
final class CallerIntroduction extends SimpleChannelInboundHandler<ByteBuf> {
  private final Handshake handshake;
  private final PeerLink link;
  private boolean introduced;

  CallerIntroduction(Handshake handshake, PeerLink link) {
    this.handshake = handshake;
    this.link = link;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (!context.channel().isActive()) {
      return; // read together with what ended the connection
    }
    try {
      if (introduced) {
        throw new GossipFormatException("bytes on a connection that only this node writes to");
      }
      introduced = true;
      introduce(context, Introduction.read(ByteBufUtil.getBytes(frame)));
    } catch (GossipFormatException e) {
      link.refuse(e);
    }
  }

  private void introduce(ChannelHandlerContext context, Introduction greeting)
      throws GossipFormatException {
    Introduction answer = handshake.answer(greeting);
    context
        .writeAndFlush(Frame.of(context.alloc(), answer.bytes()))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    Optional<FrameSeal> seal = handshake.agree(greeting, answer, greeting);
    link.introduced(context.channel(), seal);
  }

  @Override
  @SuppressWarnings("deprecation") // the interface's method is, not the handler's
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof DecoderException) {
      link.refuse(new GossipFormatException(cause.toString()));
    } else {
      link.end(cause);
    }
  }
}

package io.cordwood.common.cluster;

import io.cordwood.common.run.RateLimitedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a connection that a peer opened: introduction, then frame to message, and
 * garbage to the door.
 *
 * <p>The first frame that cannot be read ends its connection: a peer would not have sent it. Runs
 * on the gossip loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class InboundFrames extends SimpleChannelInboundHandler<ByteBuf> {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(InboundFrames.class));

  private final MessageCodec codec;
  private final Handshake handshake;
  private final GossipMetrics metrics;
  private final Listener listener;
  private final Introduction greeting;
  private Optional<FrameSeal> seal = Optional.empty();
  private boolean introduced;

  /** Receives the frames of a connection; called on the gossip loop. */
  interface Listener {
    /** The peer belongs to this cluster, and has its key if there is one. */
    void onIntroduced(Channel connection);

    void onMessage(Channel connection, Message message);
  }

  InboundFrames(MessageCodec codec, Handshake handshake, GossipMetrics metrics, Listener listener) {
    this.codec = codec;
    this.handshake = handshake;
    this.metrics = metrics;
    this.listener = listener;
    greeting = handshake.greeting();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.writeAndFlush(Frame.of(context.alloc(), greeting.bytes()));
    context.fireChannelActive();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (!context.channel().isActive()) {
      return; // read together with the garbage that ended the connection
    }
    try {
      byte[] bytes = ByteBufUtil.getBytes(frame);
      if (introduced) {
        receive(context.channel(), bytes);
      } else {
        introduce(context, Introduction.read(bytes));
      }
    } catch (Exception e) {
      refuse(context, e);
    }
  }

  private void introduce(ChannelHandlerContext context, Introduction answer)
      throws GossipFormatException {
    seal = handshake.agree(greeting, answer, answer);
    introduced = true;
    listener.onIntroduced(context.channel());
  }

  private void receive(Channel connection, byte[] frame) throws Exception {
    byte[] body = seal.isPresent() ? seal.get().open(frame) : frame;
    Message message = codec.deserialize(new ByteArrayInputStream(body));
    metrics.framesReceived().increment();
    listener.onMessage(connection, message);
  }

  @Override
  @SuppressWarnings("deprecation") // the interface's method is, not the handler's
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    switch (cause) {
      case DecoderException _ -> refuse(context, cause);
      case IOException _ -> context.close(); // reset by the peer
      default -> {
        LOG.warn("gossip from", context.channel().remoteAddress(), cause);
        context.close();
      }
    }
  }

  private void refuse(ChannelHandlerContext context, Throwable cause) {
    metrics.framesRefused().refused(context.channel().remoteAddress(), cause);
    context.close();
  }
}

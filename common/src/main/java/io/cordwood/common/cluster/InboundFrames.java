package io.cordwood.common.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.ReadTimeoutException;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a connection that a peer opened: frame to message, and garbage to the door.
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
  private final GossipMetrics metrics;
  private final Consumer<Message> receiver;

  InboundFrames(MessageCodec codec, GossipMetrics metrics, Consumer<Message> receiver) {
    this.codec = codec;
    this.metrics = metrics;
    this.receiver = receiver;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (!context.channel().isActive()) {
      return; // read together with the garbage that ended the connection
    }
    Message message;
    try (ByteBufInputStream in = new ByteBufInputStream(frame)) {
      message = codec.deserialize(in);
    } catch (Exception e) {
      refuse(context, e);
      return;
    }
    metrics.framesReceived().increment();
    receiver.accept(message);
  }

  @Override
  @SuppressWarnings("deprecation") // the interface's method is, not the handler's
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    switch (cause) {
      case DecoderException _ -> refuse(context, cause);
      case ReadTimeoutException _, IOException _ -> context.close(); // idle, or reset by the peer
      default -> {
        LOG.warn("gossip from", context.channel().remoteAddress(), cause);
        context.close();
      }
    }
  }

  private void refuse(ChannelHandlerContext context, Throwable cause) {
    metrics.framesRefused().increment();
    LOG.warn("refused a gossip frame from", context.channel().remoteAddress(), cause);
    context.close();
  }
}

package io.cordwood.ingest.sender;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.AnswerLine;
import io.cordwood.common.wire.BadPreambleException;
import io.cordwood.common.wire.Opening;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Refuses a connection that is one too many, and tells its sender where else to go, if it asks for
 * hints in its first line and may send. Takes nothing of it. For the connection's event loop.
 */
final class FullNodeAnswer extends ChannelInboundHandlerAdapter {
  /** How long to wait for the first line. */
  private static final long PATIENCE_MILLIS = 1000;

  /** Most first lines have no more. */
  private static final int USUAL_BYTES = 256;

  private final SenderPort port;
  private final SenderRights rights;
  private final String why;
  private final ByteBuf start = Unpooled.buffer(USUAL_BYTES, Preamble.MAX_BYTES);
  private boolean waits;
  private boolean answered;

  FullNodeAnswer(SenderPort port, Channel channel, String why) {
    this.port = port;
    this.rights = port.rights(channel);
    this.why = why;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    waits = port.waiting().tryAcquire();
    if (waits) {
      var _ =
          context
              .executor()
              .schedule(() -> answer(context, ""), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      answer(context, "");
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!answered) {
      start.writeBytes(bytes, Math.min(bytes.readableBytes(), start.maxWritableBytes()));
      look(context);
    }
    bytes.release();
  }

  private void look(ChannelHandlerContext context) {
    try {
      switch (Opening.look(ByteBufUtil.getBytes(start), false)) {
        case Opening.Unfinished _ -> {}
        case Opening.Data _ -> answer(context, "");
        case Opening.Begun(Preamble preamble, int _) ->
            answer(context, preamble.hints() ? whereElse(preamble) : "");
      }
    } catch (BadPreambleException | RefusedException e) {
      answer(context, "");
    }
  }

  /** Nobody is told of the cluster who could not send to it. */
  private String whereElse(Preamble preamble) throws RefusedException {
    rights.show(preamble.token());
    if (preamble.topic().isPresent()) {
      rights.check(new Topic(preamble.topic().get()));
    }
    return port.hints().whereElse(port.mode());
  }

  private void answer(ChannelHandlerContext context, String where) {
    if (!answered) {
      answered = true;
      stopWaiting();
      var _ =
          context
              .writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), where + AnswerLine.error(why)))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void stopWaiting() {
    if (waits) {
      waits = false;
      port.waiting().release();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    answered = true;
    stopWaiting();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    var _ = context.close();
  }
}

package io.cordwood.ingest.sender;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.mode.Mode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refuses a connection that is one too many, and tells its sender where else to go, if it asks for
 * hints in its first line. Takes nothing of it. For the connection's event loop.
 */
final class FullNodeAnswer extends ChannelInboundHandlerAdapter {
  /** How long to wait for the first line. */
  private static final long PATIENCE_MILLIS = 1000;

  /** That wait at once, over all nodes of the process; more are refused without a look. */
  private static final int MAX_WAITING = 256;

  private static final AtomicInteger WAITING = new AtomicInteger();

  private final Hints hints;
  private final Mode mode;
  private final String why;
  private final ByteBuf start = Unpooled.buffer(Preamble.MAX_BYTES, Preamble.MAX_BYTES);
  private boolean waits;
  private boolean answered;

  FullNodeAnswer(Hints hints, Mode mode, String why) {
    this.hints = hints;
    this.mode = mode;
    this.why = why;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    waits = WAITING.incrementAndGet() <= MAX_WAITING;
    if (waits) {
      var _ =
          context
              .executor()
              .schedule(() -> answer(context, ""), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      WAITING.decrementAndGet();
      answer(context, "");
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!answered) {
      start.writeBytes(bytes, Math.min(bytes.readableBytes(), start.writableBytes()));
      look(context);
    }
    bytes.release();
  }

  private void look(ChannelHandlerContext context) {
    try {
      switch (Preamble.look(ByteBufUtil.getBytes(start), false)) {
        case Opening.Unfinished _ -> {}
        case Opening.Data _ -> answer(context, "");
        case Preamble preamble -> answer(context, preamble.hints() ? hints.whereElse(mode) : "");
      }
    } catch (RefusedException e) {
      answer(context, "");
    }
  }

  private void answer(ChannelHandlerContext context, String where) {
    if (!answered) {
      answered = true;
      stopWaiting();
      var _ =
          context
              .writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), where + AckLines.error(why)))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void stopWaiting() {
    if (waits) {
      waits = false;
      WAITING.decrementAndGet();
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

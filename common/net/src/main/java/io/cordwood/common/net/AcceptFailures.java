package io.cordwood.common.net;

import io.cordwood.common.run.RateLimitedLog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * For a channel that listens: when it cannot accept, as without a file descriptor left, it says so
 * in the log, seldom, and tries again a second later. One for each channel.
 */
public final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(AcceptFailures.class));
  private static final long PAUSE_SECONDS = 1;

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.warn("cannot accept a connection at", ctx.channel().localAddress(), cause);
    ctx.channel().config().setAutoRead(false);
    var _ =
        ctx.executor()
            .schedule(
                () -> ctx.channel().config().setAutoRead(true), PAUSE_SECONDS, TimeUnit.SECONDS);
  }
}

package io.cordwood.common.http.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2ResetFrame;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In the pipeline of each stream of a connection: counts the calls that this server breaks off, and
 * ends the connection of a client that breaks off more in a time than anybody has a use for. Nodes
 * of the cluster may. Owned by the connection's event loop.
 */
@ChannelHandler.Sharable
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http2Resets extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Http2Resets.class);

  private final HttpMetrics metrics;
  private final int most;
  private final Duration window;
  private long windowNanos = System.nanoTime();
  private int resets;

  Http2Resets(HttpMetrics metrics, int most, Duration window) {
    this.metrics = metrics;
    this.most = most;
    this.window = window;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    Channel connection = ctx.channel().parent();
    if (event instanceof Http2ResetFrame && !NodeConnection.isTrusted(connection) && isFlood()) {
      LOG.debug("HTTP/2 connection {} breaks off too many calls", connection);
      connection
          .writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM))
          .addListener(ChannelFutureListener.CLOSE);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object frame, ChannelPromise promise) {
    if (frame instanceof Http2ResetFrame) {
      metrics.reset(NodeConnection.isTrusted(ctx.channel().parent()));
    }
    ctx.write(frame, promise);
  }

  private boolean isFlood() {
    long now = System.nanoTime();
    if (now - windowNanos > window.toNanos()) {
      windowNanos = now;
      resets = 0;
    }
    resets++;
    return resets > most;
  }
}

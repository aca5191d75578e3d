package io.cordwood.common.http.server;

import io.cordwood.common.http.Http2Frames;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/2 on a connection: each stream is a channel with an {@link ExchangeHandler}, as an HTTP/1.1
 * connection is. The connection's window holds all streams' windows, so that a stream whose handler
 * does not read never stops the others; how many of them there are in all is bounded by the
 * requests in flight. The frame limits stop floods of resets and of empty frames.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http2 {
  private static final Logger LOG = LoggerFactory.getLogger(Http2.class);
  private static final int STREAM_WINDOW_BYTES = 512 << 10;
  private static final int MAX_QUEUED_CONTROL_FRAMES = 1_000;
  private static final int MAX_RESETS = 200;

  /** Settings, pings, priorities: a client needs a few; the peers' own windows are not counted. */
  private static final int MAX_CONTROL_FRAMES = 500;

  private static final Duration CONTROL_FRAMES_WINDOW = Duration.ofSeconds(10);
  private static final Duration RESETS_WINDOW = Duration.ofSeconds(30);
  private static final int MAX_EMPTY_FRAMES = 2;
  private static final int UPGRADE_STREAM = 1;

  private Http2() {}

  static void addTo(ChannelPipeline pipeline, ServerContext server, Connection connection) {
    pipeline.addLast(frameCodec(server.options()));
    pipeline.addLast(handlers(server, connection, null));
  }

  static Http2FrameCodec frameCodec(HttpServerOptions options) {
    return Http2FrameCodecBuilder.forServer()
        .initialSettings(
            Http2Settings.defaultSettings()
                .maxConcurrentStreams(options.counts().maxConcurrentStreams())
                .initialWindowSize(STREAM_WINDOW_BYTES)
                .maxFrameSize(Http2Frames.USUAL_BYTES)
                .maxHeaderListSize(options.sizes().maxHeaderBytes()))
        .decoderEnforceMaxRstFramesPerWindow(0, 0) // those of nodes would count
        .encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, (int) RESETS_WINDOW.toSeconds())
        .decoderEnforceMaxConsecutiveEmptyDataFrames(MAX_EMPTY_FRAMES)
        .encoderEnforceMaxQueuedControlFrames(MAX_QUEUED_CONTROL_FRAMES)
        .encoderIgnoreMaxHeaderListSize(true)
        .validateRequiredPseudoHeaders(true)
        .gracefulShutdownTimeoutMillis(0)
        .build();
  }

  /**
   * The handlers after the frame codec in a connection's pipeline.
   *
   * @param upgrade if the connection's first stream is that of an upgrade
   */
  static ChannelHandler[] handlers(
      ServerContext server, Connection connection, @Nullable UpgradeRequest upgrade) {
    return List.of(
            new Http2MultiplexHandler(new Stream(server, connection, upgrade)),
            new Setup(server, connection, upgrade))
        .toArray(ChannelHandler[]::new);
  }

  /** Last in the connection's pipeline: takes over from HTTP/1.1, counts and opens the window. */
  private static final class Setup extends ChannelInboundHandlerAdapter {
    private final ServerContext server;
    private final Connection connection;
    private final @Nullable UpgradeRequest upgrade;
    private long windowNanos = System.nanoTime();
    private int controlFrames;

    Setup(ServerContext server, Connection connection, @Nullable UpgradeRequest upgrade) {
      this.server = server;
      this.connection = connection;
      this.upgrade = upgrade;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      if (ctx.pipeline().get(ExchangeHandler.class) != null) {
        ctx.pipeline().remove(ExchangeHandler.class);
      }
      connection.becameHttp2();
      Http2Connection http2 = ctx.pipeline().get(Http2FrameCodec.class).connection();
      http2.addListener(new FloodCounter(server.metrics()));
      openWindow(ctx, http2);
      ctx.channel().config().setAutoRead(true);
    }

    private void openWindow(ChannelHandlerContext ctx, Http2Connection http2) {
      int open = http2.local().flowController().initialWindowSize(http2.connectionStream());
      long streams = server.options().counts().maxConcurrentStreams();
      int all = (int) Math.min(Integer.MAX_VALUE, STREAM_WINDOW_BYTES * streams);
      if (open < all) {
        ctx.writeAndFlush(new DefaultHttp2WindowUpdateFrame(all - open));
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      ReferenceCountUtil.release(event);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      // Settings, pings and the like: the codec has dealt with them.
      ReferenceCountUtil.release(frame);
      if (isFlood()) {
        LOG.debug("HTTP/2 connection {} sends too many control frames", ctx.channel());
        var end = new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM);
        ctx.writeAndFlush(end).addListener(ChannelFutureListener.CLOSE);
      }
      if (frame instanceof Http2SettingsFrame client) {
        NodeConnection.read(client.settings(), ctx.channel());
        if (upgrade != null) {
          upgrade.prefaceCame();
        }
      }
    }

    /** Whether more frames that are no requests came in a time than anybody has a use for. */
    private boolean isFlood() {
      long now = System.nanoTime();
      if (now - windowNanos > CONTROL_FRAMES_WINDOW.toNanos()) {
        windowNanos = now;
        controlFrames = 0;
      }
      controlFrames++;
      return controlFrames > MAX_CONTROL_FRAMES;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.debug("HTTP/2 connection {} fails", ctx.channel(), cause);
      if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) == null) {
        ctx.close(); // otherwise the codec says why, and ends it
      }
    }
  }

  /** Sets up the channel of a stream. */
  @ChannelHandler.Sharable
  private static final class Stream extends ChannelInitializer<Channel> {
    private final ServerContext server;
    private final Connection connection;
    private final @Nullable UpgradeRequest upgrade;
    private final Http2Resets resets;

    Stream(ServerContext server, Connection connection, @Nullable UpgradeRequest upgrade) {
      this.server = server;
      this.connection = connection;
      this.upgrade = upgrade;
      this.resets = new Http2Resets(server.metrics(), MAX_RESETS, RESETS_WINDOW);
    }

    @Override
    protected void initChannel(Channel stream) {
      stream.config().setAutoRead(false);
      if (upgrade != null && ((Http2StreamChannel) stream).stream().id() == UPGRADE_STREAM) {
        stream.pipeline().addLast(upgrade);
      }
      stream.pipeline().addLast(resets, new PathlessRefusal());
      stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
      stream.pipeline().addLast(new ExchangeHandler(server, connection, true));
    }
  }

  /** Resets a stream whose request has no path, such as CONNECT. */
  private static final class PathlessRefusal extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      if (frame instanceof Http2HeadersFrame request
          && request.headers().method() != null
          && request.headers().path() == null) {
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
      } else {
        ctx.fireChannelRead(frame);
      }
    }
  }
}

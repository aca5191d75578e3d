package io.cordwood.common.http.client;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The codec of a {@link PeerConnection}, which it tells what it has heard and why it ends. */
final class PeerHandler extends Http2ConnectionHandler {
  private final PeerConnection connection;
  private @Nullable ChannelHandlerContext context;

  private PeerHandler(
      PeerConnection connection,
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings) {
    super(decoder, encoder, settings);
    this.connection = connection;
    setCumulator(COMPOSITE_CUMULATOR); // large frames would be copied, piece by piece
  }

  ChannelHandlerContext context() {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      throw new IllegalStateException("not started");
    }
    return ctx;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    super.handlerAdded(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    connection.heard();
    super.channelRead(ctx, message);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
      super.exceptionCaught(ctx, cause);
    } else {
      connection.broken(new IOException("the connection breaks: " + cause.getMessage(), cause));
      var _ = ctx.close();
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception error) {
    connection.broken(new IOException(why(cause), cause));
    super.onConnectionError(ctx, outbound, cause, error);
  }

  private static String why(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("First received frame was not SETTINGS")
        ? "expected HTTP/2, found other bytes"
        : message;
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, StreamException error) {
    connection.streamBroken(error.streamId(), cause);
    super.onStreamError(ctx, outbound, cause, error);
  }

  /** Makes one. */
  static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<PeerHandler, Builder> {
    private final PeerConnection owner;

    Builder(
        PeerConnection owner, PeerFrames frames, Http2Connection http2, Http2Settings settings) {
      this.owner = owner;
      connection(http2);
      frameListener(frames);
      initialSettings(settings);
      gracefulShutdownTimeoutMillis(0);
      // What comes late for a call that was broken off is reset again, each frame.
      encoderEnforceMaxRstFramesPerWindow(0, 0);
    }

    @Override
    public PeerHandler build() {
      return super.build();
    }

    @Override
    protected PeerHandler build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      return new PeerHandler(owner, decoder, encoder, settings);
    }
  }
}

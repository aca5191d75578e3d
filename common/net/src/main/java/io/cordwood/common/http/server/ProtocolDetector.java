package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.tls.TlsHello;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.UpgradeCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Tells the protocols of the one port apart: a connection that begins with HTTP/2's preface is
 * HTTP/2, any other is HTTP/1.1, which may ask to become HTTP/2 (h2c). Where TLS is not spoken, it
 * is refused.
 */
final class ProtocolDetector extends ByteToMessageDecoder {
  private static final ByteBuf PREFACE =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", US_ASCII).asReadOnly());

  /** The client cannot read it, but its library may show its beginning to people. */
  private static final String PLAIN_PORT =
      """
      HTTP/1.1 400 Bad Request\r
      connection: close\r
      \r
      error: this port speaks plain text: use http://
      """;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ProtocolDetector.class));

  private final ServerContext server;
  private final Connection connection;
  private boolean refused;

  ProtocolDetector(ServerContext server, Connection connection) {
    this.server = server;
    this.connection = connection;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (refused || isTls(in)) {
      refuse(ctx);
      in.skipBytes(in.readableBytes());
      return;
    }
    int seen = Math.min(in.readableBytes(), PREFACE.readableBytes());
    if (!ByteBufUtil.equals(PREFACE, 0, in, in.readerIndex(), seen)) {
      if (hasChosenHttp2(ctx)) {
        in.skipBytes(in.readableBytes());
        var _ = ctx.close();
        return;
      }
      speakHttp1(ctx.pipeline());
      ctx.pipeline().remove(this);
    } else if (seen == PREFACE.readableBytes()) {
      Http2.addTo(ctx.pipeline(), server, connection);
      ctx.pipeline().remove(this);
    }
  }

  private static boolean hasChosenHttp2(ChannelHandlerContext ctx) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    return tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol());
  }

  private boolean isTls(ByteBuf in) {
    int bytes = Math.min(in.readableBytes(), TlsHello.BYTES);
    return bytes == TlsHello.BYTES
        && TlsHello.mayBe(ByteBufUtil.getBytes(in, in.readerIndex(), bytes));
  }

  private void refuse(ChannelHandlerContext ctx) {
    if (!refused) {
      refused = true;
      server.metrics().tlsRefused();
      LOG.warn("HTTP: refused", ctx.channel().remoteAddress(), "it speaks TLS, this port does not");
      var _ =
          ctx.writeAndFlush(Unpooled.copiedBuffer(PLAIN_PORT, US_ASCII))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void speakHttp1(ChannelPipeline pipeline) {
    StrictHttp1Codec codec = new StrictHttp1Codec(server.options());
    pipeline.addLast(codec);
    pipeline.addLast(new Upgrade(codec));
    pipeline.addLast(new ExchangeHandler(server, connection, false));
  }

  private @Nullable UpgradeCodec upgradeCodec(CharSequence protocol) {
    return AsciiString.contentEquals(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, protocol)
        ? new Http2ServerUpgradeCodec(
            Http2.frameCodec(server.options()),
            Http2.handlers(server, connection, new UpgradeRequest()))
        : null;
  }

  /** Grants the wish to become HTTP/2 to requests without a body, when no other is under way. */
  private final class Upgrade extends HttpServerUpgradeHandler {
    Upgrade(StrictHttp1Codec codec) {
      super(codec, ProtocolDetector.this::upgradeCodec);
    }

    @Override
    protected boolean shouldHandleUpgradeRequest(HttpRequest request) {
      return request.decoderResult().isSuccess()
          && connection.isIdle()
          && !connection.isDraining()
          && !HttpUtil.isTransferEncodingChunked(request)
          && HttpUtil.getContentLength(request, 0L) == 0;
    }
  }
}

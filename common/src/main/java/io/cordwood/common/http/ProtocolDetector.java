package io.cordwood.common.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.UpgradeCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells the protocols of the one clear-text port apart: a connection that begins with HTTP/2's
 * preface is HTTP/2, any other is HTTP/1.1, which may ask to become HTTP/2 (h2c).
 */
final class ProtocolDetector extends ByteToMessageDecoder {
  private static final ByteBuf PREFACE =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", US_ASCII).asReadOnly());

  private final Serving serving;
  private final Connection connection;

  ProtocolDetector(Serving serving, Connection connection) {
    this.serving = serving;
    this.connection = connection;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int seen = Math.min(in.readableBytes(), PREFACE.readableBytes());
    if (!ByteBufUtil.equals(PREFACE, 0, in, in.readerIndex(), seen)) {
      speakHttp1(ctx.pipeline());
      ctx.pipeline().remove(this);
    } else if (seen == PREFACE.readableBytes()) {
      Http2.addTo(ctx.pipeline(), serving, connection);
      ctx.pipeline().remove(this);
    }
  }

  private void speakHttp1(ChannelPipeline pipeline) {
    StrictHttp1Codec codec = new StrictHttp1Codec(serving.options());
    pipeline.addLast(codec);
    pipeline.addLast(new Upgrade(codec));
    pipeline.addLast(new ExchangeHandler(serving, connection, false));
  }

  private @Nullable UpgradeCodec upgradeCodec(CharSequence protocol) {
    return AsciiString.contentEquals(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, protocol)
        ? new Http2ServerUpgradeCodec(
            Http2.frameCodec(serving.options()),
            Http2.handlers(serving, connection, new UpgradeRequest()))
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

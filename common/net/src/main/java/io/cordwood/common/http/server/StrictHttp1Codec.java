package io.cordwood.common.http.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;

/**
 * HTTP/1.1 on the wire, without the leniency that request smuggling lives on: a request with both
 * Content-Length and Transfer-Encoding, or with bare line feeds, is malformed.
 */
final class StrictHttp1Codec
    extends CombinedChannelDuplexHandler<HttpRequestDecoder, HttpResponseEncoder>
    implements HttpServerUpgradeHandler.SourceCodec {
  private static final int MAX_PIECE_BYTES = 64 << 10;

  StrictHttp1Codec(HttpServerOptions options) {
    super(new Decoder(options), new HttpResponseEncoder());
  }

  @Override
  public void upgradeFrom(ChannelHandlerContext ctx) {
    ctx.pipeline().remove(this);
  }

  private static final class Decoder extends HttpRequestDecoder {
    Decoder(HttpServerOptions options) {
      super(
          new HttpDecoderConfig()
              .setMaxInitialLineLength(options.sizes().maxInitialLineBytes())
              .setMaxHeaderSize(options.sizes().maxHeaderBytes())
              .setMaxChunkSize(MAX_PIECE_BYTES)
              .setStrictLineParsing(true)
              .setUseRfc9112TransferEncoding(true));
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
      throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }
  }
}

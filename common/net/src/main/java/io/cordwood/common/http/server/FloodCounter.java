package io.cordwood.common.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;

/**
 * Counts an HTTP/2 connection that is ended since its client does too much of something, be it the
 * codec or a handler that ends it.
 */
final class FloodCounter extends Http2ConnectionAdapter {
  private final HttpMetrics metrics;

  FloodCounter(HttpMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void onGoAwaySent(int lastStreamId, long errorCode, ByteBuf why) {
    if (errorCode == Http2Error.ENHANCE_YOUR_CALM.code()) {
      metrics.floodRefused();
    }
  }
}

package io.cordwood.common.http.client;

import io.cordwood.common.http.Http2Frames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;

/** The frames of a peer, for a {@link PeerConnection} and its calls. On its event loop. */
final class PeerFrames extends Http2EventAdapter {
  private final PeerConnection connection;

  PeerFrames(PeerConnection connection) {
    this.connection = connection;
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    PeerStream call = connection.callOf(id);
    try {
      if (call != null) {
        call.headers(headers, end);
      }
    } catch (IOException e) {
      throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, e, "%s", e.getMessage());
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int id,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    onHeadersRead(ctx, id, headers, padding, end);
  }

  @Override
  public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    PeerStream call = connection.callOf(id);
    if (call == null) {
      return data.readableBytes() + padding;
    }
    if (!call.isAnswered()) {
      throw Http2Exception.streamError(
          id, Http2Error.PROTOCOL_ERROR, "expected the head of an answer, found data");
    }
    call.data(data.retainedSlice(), end);
    return padding;
  }

  @Override
  public void onPushPromiseRead(
      ChannelHandlerContext ctx, int id, int promised, Http2Headers headers, int padding)
      throws Http2Exception {
    throw Http2Exception.connectionError(
        Http2Error.PROTOCOL_ERROR, "expected no promise, since none was allowed");
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int id, long errorCode) {
    PeerStream call = connection.callOf(id);
    if (call != null) {
      Http2Error error = Http2Error.valueOf(errorCode);
      call.fail(
          error == Http2Error.REFUSED_STREAM
              ? new PeerRefusal("the peer takes no more calls here")
              : new IOException("the peer reset it: " + (error == null ? errorCode : error)));
    }
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
    Long streams = settings.maxConcurrentStreams();
    if (streams != null) {
      connection.takes((int) Math.min(Integer.MAX_VALUE, streams));
    }
    if (settings.get(Http2Frames.RESETS_UNCOUNTED) != null) {
      connection.resetsAreUncounted();
    }
  }

  @Override
  public void onGoAwayReceived(int lastId, long errorCode, ByteBuf why) {
    connection.endsAfter(lastId);
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    connection.over(stream);
  }
}

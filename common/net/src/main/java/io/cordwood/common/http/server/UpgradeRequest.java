package io.cordwood.common.http.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * First in the pipeline of the stream that an upgrade to HTTP/2 opens: keeps the request back until
 * the client has sent its preface, so that no answer is on its way before.
 *
 * <p>The JDK's HTTP client changes its protocol when it has read the 101, while its selector may
 * still be handing over what came with it. If that is more than one of its buffers, what is in the
 * later ones can be lost, and it then takes the inside of a frame for the head of one. Owned by the
 * connection's event loop.
 */
final class UpgradeRequest extends ChannelInboundHandlerAdapter {
  private @Nullable ChannelHandlerContext context;
  private @Nullable Object head;
  private boolean prefaceCame;

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** The request is one frame of headers, since a request with a body is not upgraded. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object frame) {
    if (prefaceCame) {
      ctx.fireChannelRead(frame);
    } else {
      ReferenceCountUtil.release(head);
      head = frame;
    }
  }

  /** The request goes on. */
  void prefaceCame() {
    prefaceCame = true;
    Object held = head;
    head = null;
    if (held != null && context != null) {
      context.fireChannelRead(held);
      context.fireChannelReadComplete();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    ReferenceCountUtil.release(head);
    head = null;
  }
}

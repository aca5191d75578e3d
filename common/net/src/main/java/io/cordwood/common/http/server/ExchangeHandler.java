package io.cordwood.common.http.server;

import io.cordwood.common.access.Caller;
import io.cordwood.common.http.server.Routes.Match;
import io.cordwood.common.http.server.Routes.Refused;
import io.cordwood.common.http.server.Routes.Route;
import io.cordwood.common.tls.PortTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Last in the pipeline of an HTTP/1.1 connection and of an HTTP/2 stream: makes exchanges of what
 * arrives, one after the other. Reads by itself (auto-read is off): on while the body has room, and
 * while nothing else is to be done, which is how it learns that the client left. A closed or
 * half-closed connection counts as left. Pipelined requests wait; while some do, nothing more is
 * read, so they are at most what one read of the socket gave. Owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class ExchangeHandler extends ChannelInboundHandlerAdapter implements Exchange.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(ExchangeHandler.class);
  private static final long LINGER_SECONDS = 5;
  private static final int RETRY_AFTER_SECONDS = 1;

  private final ServerContext server;
  private final Connection connection;
  private final boolean http2;
  private final Queue<HttpObject> pipelined = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Exchange current;
  private boolean started;
  private Caller caller = Caller.TRUSTED;
  private @Nullable Semaphore room;
  private boolean lingering;
  private boolean isReset;
  private boolean isRaw;

  ExchangeHandler(ServerContext server, Connection connection, boolean http2) {
    this.server = server;
    this.connection = connection;
    this.http2 = http2;
  }

  @Override
  public boolean isDraining() {
    return connection.isDraining() || connection.isSpare();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isRaw && current != null && message instanceof ByteBuf bytes) {
      current.receiveRaw(bytes);
    } else if (!(message instanceof HttpObject object)) {
      ReferenceCountUtil.release(message);
    } else if (lingering) {
      linger(ctx, object);
    } else if (current != null && current.isBodyComplete()) {
      pipelined.add(object);
    } else {
      take(ctx, object);
    }
  }

  @Override
  public void becomeRaw() {
    ChannelHandlerContext ctx = context;
    if (ctx == null || !ctx.channel().isActive()) {
      return;
    }
    isRaw = true;
    if (!pipelined.isEmpty()) {
      ctx.close();
      return;
    }
    ctx.pipeline().remove(HttpServerUpgradeHandler.class);
    ctx.pipeline().get(StrictHttp1Codec.class).removeInboundHandler();
    readMore();
  }

  private void take(ChannelHandlerContext ctx, HttpObject object) {
    if (object instanceof HttpRequest head) {
      begin(ctx, head);
    }
    if (object instanceof HttpContent content) {
      receive(content);
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest head) {
    connection.exchangeBegan();
    head.setUri(RequestRules.originForm(head.uri()));
    room = server.requests().roomFor(head.uri());
    caller = Caller.TRUSTED;
    Match match = match(ctx.channel(), head);
    current = new Exchange(this, server, ctx.channel(), new Asker(head, http2), match, caller);
    started = false;
  }

  private Match match(Channel channel, HttpRequest head) {
    try {
      return room != null ? matchPath(channel, head) : tooMany();
    } catch (HttpError e) {
      return new Refused(e);
    } catch (IllegalArgumentException e) {
      return new Refused(new HttpError(400, "path: expected %XX escapes, " + e.getMessage()));
    }
  }

  private Match matchPath(Channel channel, HttpRequest head) {
    if (head.decoderResult().isFailure()) {
      return new Refused(
          RequestRules.malformed(head.decoderResult().cause(), server.options().sizes()));
    }
    Optional<HttpError> refused = http2 ? Optional.empty() : RequestRules.refusedByHttp1(head);
    if (refused.isPresent()) {
      return new Refused(refused.get());
    }
    Hosts hosts = server.options().hosts();
    Optional<String> stranger =
        hosts.refusal(
            head.headers().get(HttpHeaderNames.HOST), head.headers().get(HttpHeaderNames.ORIGIN));
    if (stranger.isPresent()) {
      server.metrics().hostRefused();
      return new Refused(new HttpError(403, stranger.get()));
    }
    String path = new QueryStringDecoder(head.uri()).path();
    boolean isForNodes = Access.of(path) == Access.NODE;
    if (connection.isSpare() && !isForNodes && !StandardRoutes.isFor(path)) {
      return tooManyConnections();
    }
    Match match = CrossOrigin.match(head, hosts, server.routes(), path);
    if (match instanceof Route route && !CrossOrigin.isPreflight(head)) {
      caller = server.routes().guard().admit(head, route.path(), channel);
      if (isForNodes) {
        connection.becameANodes();
      }
    }
    return match;
  }

  private Match tooManyConnections() {
    server.metrics().connectionRefused();
    return new Refused(
        HttpError.busy(
            server.connections().limit() + " connections are open, try later",
            RETRY_AFTER_SECONDS));
  }

  private Match tooMany() {
    server.metrics().requestRefused();
    return new Refused(
        HttpError.busy(
            server.options().counts().maxRequestsInFlight() + " requests are in flight, try later",
            RETRY_AFTER_SECONDS));
  }

  private void receive(HttpContent content) {
    Exchange exchange = current;
    if (exchange == null) {
      content.release(); // of a stream that was answered, reset or refused
      return;
    }
    if (content.decoderResult().isFailure()) {
      exchange.bodyMalformed(content.decoderResult().cause());
    }
    exchange.receive(content.content());
    if (content instanceof LastHttpContent) {
      exchange.bodyComplete();
      startCurrent();
    }
  }

  private void startCurrent() {
    if (current != null && !started) {
      started = true;
      current.start();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    // Not before: a handler that answers at once should know that the body is there already.
    startCurrent();
    readMore();
  }

  @Override
  public void readMore() {
    if (context != null && wantsMore()) {
      context.read();
    }
  }

  private boolean wantsMore() {
    if (lingering || current == null) {
      return true;
    }
    return (current.isBodyComplete() && !isRaw) ? pipelined.isEmpty() : current.wantsMore();
  }

  @Override
  public void ended(Exchange.End end) {
    Exchange exchange = current;
    ChannelHandlerContext ctx = context;
    if (exchange == null || ctx == null) {
      return;
    }
    current = null;
    release();
    if (isReset) {
      return; // To a reset there is no answer.
    }
    if (http2) {
      endStream(ctx, end, exchange.isBodyComplete());
    } else {
      endOrGoOn(ctx, end, exchange.isBodyComplete());
    }
  }

  private void release() {
    if (room != null) {
      room.release();
    }
    connection.exchangeEnded();
  }

  private static void endStream(ChannelHandlerContext ctx, Exchange.End end, boolean bodyComplete) {
    if (end == Exchange.End.RESET) {
      ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    } else if (!bodyComplete) {
      ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
    }
  }

  private void endOrGoOn(ChannelHandlerContext ctx, Exchange.End end, boolean bodyComplete) {
    switch (end) {
      case KEEP -> next(ctx);
      case CLOSE -> closeAfterBody(ctx, bodyComplete);
      case RESET -> reset(ctx);
    }
  }

  private void next(ChannelHandlerContext ctx) {
    while (!pipelined.isEmpty() && (current == null || !current.isBodyComplete())) {
      take(ctx, pipelined.remove());
    }
    startCurrent();
    readMore();
  }

  /**
   * Closing with unread bytes would reset the connection, and the answer might be lost: so first
   * only our half is closed, and what still comes is thrown away for a while.
   */
  private void closeAfterBody(ChannelHandlerContext ctx, boolean bodyComplete) {
    if (bodyComplete) {
      ctx.close();
      return;
    }
    lingering = true;
    PortTls.shutdownOutput(ctx.channel());
    ctx.executor().schedule(() -> ctx.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    readMore();
  }

  private static void linger(ChannelHandlerContext ctx, HttpObject object) {
    boolean last = object instanceof LastHttpContent || object.decoderResult().isFailure();
    ReferenceCountUtil.release(object);
    if (last) {
      ctx.close();
    }
  }

  /** Closes so that the client cannot take what it got for the whole. */
  private static void reset(ChannelHandlerContext ctx) {
    if (ctx.channel().isActive()) {
      ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
    PortTls.closeAtOnce(ctx.channel());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof Http2ResetFrame) {
      isReset = true;
      clientLeft();
    }
    ReferenceCountUtil.release(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    clientLeft();
    pipelined.forEach(ReferenceCountUtil::release);
    pipelined.clear();
  }

  private void clientLeft() {
    if (current == null) {
      return;
    }
    current.clientLeft();
    // Its thread tells when it is over, so it gets one in any case.
    startCurrent();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    boolean clientsFault = cause instanceof DecoderException || cause instanceof Http2Exception;
    if (clientsFault || cause instanceof IOException) {
      LOG.debug("connection {} breaks: {}", ctx.channel(), cause.getMessage());
    } else {
      LOG.warn("connection {} fails", ctx.channel(), cause);
    }
    if (http2 && cause instanceof Http2Exception fault) {
      // Not close(), whose resets do not count towards the most that a client may make us send.
      ctx.writeAndFlush(new DefaultHttp2ResetFrame(fault.error()));
    } else {
      ctx.close();
    }
  }
}

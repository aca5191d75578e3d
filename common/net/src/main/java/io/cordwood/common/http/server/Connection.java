package io.cordwood.common.http.server;

import io.cordwood.common.http.server.HttpServerOptions.Timeouts;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, first in its pipeline: closes it when it is idle or slow with the
 * headers of a request, never while a request is being answered; and ends it in good order when it
 * is old, so that no client holds for ever what it once got, or when the server stops. Owned by its
 * event loop, except where said.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Connection extends ChannelInboundHandlerAdapter implements Connections.Open {
  /** Connections that were made together should not all end together: by a tenth of the age. */
  private static final int AGE_SPREAD = 10;

  private final ServerContext server;
  private volatile @Nullable ChannelHandlerContext context;
  private @Nullable Future<?> deadline;
  private @Nullable Future<?> aging;
  private volatile boolean old;
  private volatile boolean camePastLimit;
  private int active;
  private boolean http2;
  private boolean inHeaders;

  Connection(ServerContext server) {
    this.server = server;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    if (!server.connections().add(this)) {
      server.metrics().connectionRefused();
      ctx.close();
      return;
    }
    camePastLimit = server.connections().areTooMany();
    Timeouts timeouts = server.options().timeouts();
    arm(camePastLimit ? timeouts.header() : timeouts.idle());
    long age = server.options().timeouts().maxConnectionAge().toNanos();
    long spread = ThreadLocalRandom.current().nextLong(-age / AGE_SPREAD, age / AGE_SPREAD + 1);
    aging = ctx.executor().schedule(this::grewOld, age + spread, TimeUnit.NANOSECONDS);
    ctx.fireChannelActive();
    ctx.read();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    server.connections().remove(this);
    disarm();
    if (aging != null) {
      aging.cancel(false);
    }
    ctx.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (active == 0 && !http2 && !inHeaders) {
      inHeaders = true;
      arm(server.options().timeouts().header());
    }
    ctx.fireChannelRead(message);
  }

  /** The connection speaks HTTP/2 from now on. */
  void becameHttp2() {
    http2 = true;
    if (active == 0) {
      arm(server.options().timeouts().idle());
    }
  }

  void exchangeBegan() {
    active++;
    inHeaders = false;
    disarm();
  }

  void exchangeEnded() {
    active--;
    if (active == 0) {
      arm(server.options().timeouts().idle());
      closeIfDrained();
    }
  }

  boolean isIdle() {
    return active == 0;
  }

  private void arm(Duration timeout) {
    disarm();
    ChannelHandlerContext ctx = context;
    if (ctx != null && ctx.channel().isActive()) {
      deadline = ctx.executor().schedule(this::timedOut, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void disarm() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void timedOut() {
    server.metrics().timedOut();
    closeNow();
  }

  /** Whether only health, metrics and nodes are answered here, since it is one too many. */
  boolean isSpare() {
    return camePastLimit && server.connections().areTooMany();
  }

  /** A node of the cluster uses it, and goes on doing so. */
  void becameANodes() {
    camePastLimit = false;
  }

  /** Whether no further request should be sent here. For any thread. */
  boolean isDraining() {
    return old || server.connections().isClosing();
  }

  private void grewOld() {
    old = true;
    server.metrics().aged();
    drainNow();
  }

  @Override
  public void drain() {
    onLoop(this::drainNow);
  }

  private void drainNow() {
    if (http2 && active > 0 && context != null) {
      // All streams that have reached us are answered; the client opens no more.
      context.channel().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
    }
    closeIfDrained();
  }

  private void closeIfDrained() {
    // In HTTP/1.1 a spare one ends with its answer.
    if ((isDraining() || (http2 && isSpare())) && active == 0) {
      closeNow();
    }
  }

  @Override
  public void close() {
    onLoop(this::closeNow);
  }

  private void closeNow() {
    if (context != null) {
      context.channel().close();
    }
  }

  private void onLoop(Runnable task) {
    ChannelHandlerContext ctx = context;
    if (ctx != null) {
      ctx.executor().execute(task);
    }
  }
}

package io.cordwood.common.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way from a handler's thread to the client: at most {@link #WINDOW_BYTES} and one piece more
 * are on it, so that a slow reader slows the handler. Bytes are on their way until the socket took
 * them; on HTTP/2 that is after the client's flow control let them pass.
 *
 * <p>Used by the handler's thread; {@link #clientLeft} comes from the event loop.
 */
final class Outflow {
  static final int WINDOW_BYTES = 256 << 10;
  private static final int WAKE_BYTES = WINDOW_BYTES / 2;

  private final Channel channel;
  private final HttpMetrics metrics;
  private final Duration stallTimeout;
  private final AtomicLong onTheWay = new AtomicLong();
  private final Signal signal = new Signal();
  private volatile boolean gone;
  private volatile Runnable whenGone = () -> {};

  Outflow(Channel channel, HttpMetrics metrics, Duration stallTimeout) {
    this.channel = channel;
    this.metrics = metrics;
    this.stallTimeout = stallTimeout;
  }

  /** Waits for room, so that the next {@link #send} is within the bound. */
  void awaitRoom() throws IOException {
    boolean room =
        signal.await(() -> gone() || onTheWay.get() < WINDOW_BYTES, stallTimeout.toNanos());
    if (!room) {
      gone = true;
      metrics.stalled();
      throw new ClientGoneException("the client read nothing for " + stallTimeout);
    }
    if (gone()) {
      throw new ClientGoneException("the client left");
    }
  }

  /**
   * Hands a piece to the event loop, which owns it from now on.
   *
   * @param bytes of the body in it
   */
  void send(HttpObject piece, int bytes) {
    var _ = sendLast(piece, bytes);
  }

  /** The same for the last piece: the future is done when it was sent. */
  ChannelFuture sendLast(HttpObject piece, int bytes) {
    onTheWay.addAndGet(bytes);
    return channel
        .writeAndFlush(piece)
        .addListener(sent -> {
          long left = onTheWay.addAndGet(-bytes);
          if (sent.isSuccess()) {
            metrics.bytesOut(bytes);
          } else {
            gone = true;
          }
          if (left <= WAKE_BYTES || gone) {
            signal.wake();
          }
        });
  }

  boolean gone() {
    return gone || !channel.isActive();
  }

  /** Called once at least, from any thread, when the client left; at once if it has. */
  void whenGone(Runnable task) {
    whenGone = task;
    if (gone()) {
      task.run();
    }
  }

  void clientLeft() {
    gone = true;
    signal.wake();
    whenGone.run();
  }
}

package io.cordwood.common.http.server;

import io.cordwood.common.http.WaitSignal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way from a handler's thread to the client: at most {@link #WINDOW_BYTES} and one piece more
 * are on it, or a small one and one more if the server's budget is used up, so that a slow reader
 * slows the handler. Bytes are on their way until the socket took them; on HTTP/2 that is after the
 * client's flow control let them pass.
 *
 * <p>Used by the handler's thread; {@link #clientLeft} comes from the event loop.
 */
final class ResponseFlowControl {
  static final int WINDOW_BYTES = 256 << 10;
  private static final int WAKE_BYTES = WINDOW_BYTES / 2;

  private final Channel channel;
  private final HttpMetrics metrics;
  private final Duration stallTimeout;
  private final ResponseMemoryBudget budget;
  private final Runnable whenStalled;
  private final AtomicLong onTheWay = new AtomicLong();
  private final WaitSignal signal = new WaitSignal();
  private boolean narrow;
  private int taken;
  private final AtomicLong passed = new AtomicLong();
  private volatile boolean gone;
  private volatile Runnable whenGone = () -> {};

  /**
   * @param whenStalled run by the handler's thread when the client has taken nothing for so long
   */
  ResponseFlowControl(
      Channel channel,
      HttpMetrics metrics,
      Duration stallTimeout,
      ResponseMemoryBudget budget,
      Runnable whenStalled) {
    this.channel = channel;
    this.metrics = metrics;
    this.stallTimeout = stallTimeout;
    this.budget = budget;
    this.whenStalled = whenStalled;
  }

  /** From now on pieces are small. */
  void narrow() {
    narrow = true;
  }

  /**
   * Takes memory for the next piece.
   *
   * @return how large it may be
   */
  int takeMemory(int wantedBytes) {
    taken = budget.take(narrow ? ResponseMemoryBudget.SMALL_BYTES : wantedBytes);
    return taken;
  }

  /** There will be no such piece. */
  void giveBackMemory() {
    budget.release(taken);
    taken = 0;
  }

  /** Waits for room, so that the next {@link #send} is within the bound. */
  void awaitRoom() throws IOException {
    int window =
        taken == ResponseMemoryBudget.SMALL_BYTES ? ResponseMemoryBudget.SMALL_BYTES : WINDOW_BYTES;
    boolean room = signal.await(() -> gone() || onTheWay.get() < window, stallTimeout.toNanos());
    if (!room) {
      gone = true;
      whenStalled.run();
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

  /** Hands over the last piece: the future is done when it was sent. */
  ChannelFuture sendLast(HttpObject piece, int bytes) {
    onTheWay.addAndGet(bytes);
    int memory = bytes == 0 ? 0 : taken;
    taken -= memory;
    return channel
        .writeAndFlush(piece)
        .addListener(sent -> {
          long left = onTheWay.addAndGet(-bytes);
          budget.release(memory);
          passed.addAndGet(bytes);
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

  /** Bytes of the body that are not on their way any more. */
  long passed() {
    return passed.get();
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

package io.cordwood.ingest.mode;

import io.cordwood.ingest.RefusedException;
import io.micrometer.core.instrument.Counter;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop on one port. While its writer takes nothing, none of them is
 * read; those that hold what could not be written wait in line. Owned by the loop.
 */
public final class LoopBackpressure {
  /** A connection. */
  public interface Sender {
    /** Stops reading; nothing can be written now. */
    void pause();

    /** Reads on. */
    void goOn();

    /** For one that was turned away: tries again; may be turned away again. */
    void retry();

    /** More of what it wrote is safe than when it asked last. */
    void progressed();

    /** Nothing will be taken any more: it tells its sender why, and ends. */
    void refuse(RefusedException why);
  }

  private final EventLoop loop;
  private final Set<Sender> senders = new HashSet<>();
  private final Deque<Sender> waiting = new ArrayDeque<>();
  private boolean blocked;
  private boolean paused;

  LoopBackpressure(EventLoop loop) {
    this.loop = loop;
  }

  /** Whether the writer is to take nothing before the next retry. */
  boolean blocked() {
    return blocked;
  }

  /**
   * Stops all reading until {@link #retry}.
   *
   * @param pauses counts it
   * @return false, for the writer to return
   */
  boolean block(Counter pauses) {
    pauses.increment();
    blocked = true;
    if (!paused) {
      paused = true;
      senders.forEach(Sender::pause);
    }
    return false;
  }

  /** Stops all reading for a time. */
  boolean block(Counter pauses, long retryMillis) {
    var _ = loop.schedule(this::retry, retryMillis, TimeUnit.MILLISECONDS);
    return block(pauses);
  }

  /** Lets those in line try again, and reads on if all of them got through. */
  void retry() {
    blocked = false;
    for (int left = waiting.size(); left > 0; left--) {
      waiting.remove().retry();
    }
    if (!blocked && paused) {
      paused = false;
      senders.forEach(Sender::goOn);
    }
  }

  /** Calls back when it is worth another try. */
  void await(Sender sender) {
    waiting.add(sender);
  }

  void add(Sender sender) {
    senders.add(sender);
    if (paused) {
      sender.pause();
    }
  }

  void remove(Sender sender) {
    senders.remove(sender);
  }

  /** Ends all connections. */
  void refuse(RefusedException why) {
    List.copyOf(senders).forEach(sender -> sender.refuse(why));
  }
}

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
 * Pauses the connections of one event loop on one port while the loop's writer takes nothing: then
 * none is read, and those that hold what could not be written wait in line. Owned by the loop.
 */
public final class LoopGate {
  /** A connection. */
  public interface Sender {
    /** Stops reading; nothing can be written now. */
    void pause();

    /** Reads on. */
    void resume();

    /** For one that was turned away: tries again; may be turned away again. */
    void retry();

    /** Nothing will be taken any more: it tells its sender why, and ends. */
    void refuse(RefusedException why);
  }

  private final EventLoop loop;
  private final Set<Sender> senders = new HashSet<>();
  private final Deque<Sender> waiting = new ArrayDeque<>();
  private boolean shut;
  private boolean paused;

  LoopGate(EventLoop loop) {
    this.loop = loop;
  }

  /** Whether the writer is to take nothing before the next retry. */
  boolean isShut() {
    return shut;
  }

  /**
   * Stops all reading until {@link #retry}.
   *
   * @param pauses counts it
   * @return false, for the writer to return
   */
  boolean shut(Counter pauses) {
    pauses.increment();
    shut = true;
    if (!paused) {
      paused = true;
      senders.forEach(Sender::pause);
    }
    return false;
  }

  /** Stops all reading for a time. */
  boolean shut(Counter pauses, long retryMillis) {
    var _ = loop.schedule(this::retry, retryMillis, TimeUnit.MILLISECONDS);
    return shut(pauses);
  }

  /** Lets those in line try again, and reads on if all of them got through. */
  void retry() {
    shut = false;
    for (int left = waiting.size(); left > 0; left--) {
      waiting.remove().retry();
    }
    if (!shut && paused) {
      paused = false;
      senders.forEach(Sender::resume);
    }
  }

  /** Lets a connection that was turned away try again when that is worth it. */
  public void await(Sender sender) {
    waiting.add(sender);
  }

  public void add(Sender sender) {
    senders.add(sender);
    if (paused) {
      sender.pause();
    }
  }

  public void remove(Sender sender) {
    senders.remove(sender);
  }

  /** Ends all connections. */
  void refuse(RefusedException why) {
    List.copyOf(senders).forEach(sender -> sender.refuse(why));
  }
}

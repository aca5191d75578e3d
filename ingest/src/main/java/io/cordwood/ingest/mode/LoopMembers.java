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
public final class LoopMembers {
  /** A connection. */
  public interface Member {
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
  private final Set<Member> members = new HashSet<>();
  private final Deque<Member> waiting = new ArrayDeque<>();
  private boolean blocked;
  private boolean paused;

  LoopMembers(EventLoop loop) {
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
      members.forEach(Member::pause);
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
      members.forEach(Member::goOn);
    }
  }

  /** Calls back when it is worth another try. */
  void await(Member member) {
    waiting.add(member);
  }

  void add(Member member) {
    members.add(member);
    if (paused) {
      member.pause();
    }
  }

  void remove(Member member) {
    members.remove(member);
  }

  /** Ends all connections. */
  void refuse(RefusedException why) {
    List.copyOf(members).forEach(member -> member.refuse(why));
  }
}

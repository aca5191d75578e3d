package io.cordwood.ingest.mode;

import java.util.concurrent.locks.LockSupport;

/** Signals of loops for the thread of the committer. For all threads, unless it says otherwise. */
final class CommitSignal {
  private final Thread thread;
  private volatile boolean idle;
  private volatile boolean hurried;
  private volatile boolean flushWanted;

  /**
   * @param thread of the committer
   */
  CommitSignal(Thread thread) {
    this.thread = thread;
  }

  /** A batch arrived. Does not block. */
  void wake() {
    if (idle) {
      LockSupport.unpark(thread);
    }
  }

  /** A loop keeps as much as it may: no force waits for company now. */
  void hurry() {
    hurried = true;
    wake();
  }

  /** A connection ended that wrote: the active segment is flushed soon. */
  void flushSoon() {
    flushWanted = true;
    wake();
  }

  /** For the committer: whether it has to be woken. */
  void setIdle(boolean now) {
    idle = now;
  }

  boolean isHurried() {
    return hurried;
  }

  /** For the committer: what hurried is taken. */
  void endHurry() {
    hurried = false;
  }

  /** For the committer: whether to flush soon, once for each time that it is wanted. */
  boolean takeFlush() {
    boolean wanted = flushWanted;
    if (wanted) {
      flushWanted = false;
    }
    return wanted;
  }
}

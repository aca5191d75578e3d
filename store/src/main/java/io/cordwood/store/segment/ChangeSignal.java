package io.cordwood.store.segment;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the changes of a log, and wakes those that wait for one. Safe for all threads, also for
 * those that hold a lock: its own is the innermost, and held for a moment.
 */
final class ChangeSignal {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeSignal.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long count;
  private boolean ended;

  void add() {
    lock.lock();
    try {
      count++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there were more than a number of changes, or this is ended, or time is up. */
  void await(long since, Duration longest) {
    lock.lock();
    try {
      long nanos = longest.toNanos();
      while (count == since && !ended && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts threads that touch files; one that was is let go on, once.
      LOG.warn("interrupted while waiting for new segments");
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting, for good. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

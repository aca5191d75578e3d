package io.cordwood.forwarder;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a {@link RecordQueue}, and who is woken when it is free: the sender if it waits and
 * there is news, the spool's keeper if there is work for it. Nobody holds it for long.
 */
final class QueueLock {
  private static final int SPINS = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition keeperWork = lock.newCondition();
  private final Runnable wakeSender;
  private BooleanSupplier keeperHasWork = () -> false;
  private boolean keeperWaits;
  private boolean senderWaits;
  private boolean hasNews;

  /**
   * @param wakeSender ends the sender's wait, or its next one; it must not wait
   */
  QueueLock(Runnable wakeSender) {
    this.wakeSender = wakeSender;
  }

  /** Says when a keeper is to be woken; asked with the lock held. */
  void wakeKeeperFor(BooleanSupplier hasWork) {
    keeperHasWork = hasWork;
  }

  void lock() {
    lock.lock();
  }

  /** Since nobody holds it for long, to spin is mostly quicker than to sleep. */
  void lockSoon() {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  void unlock() {
    wakeKeeper();
    boolean wakes = wakes();
    lock.unlock();
    if (wakes) {
      wakeSender.run();
    }
  }

  void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      unlock();
    }
  }

  <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      unlock();
    }
  }

  // ---- with the lock held

  /** There is something to send, or to wait for, that was not there. */
  void news() {
    hasNews = true;
  }

  /** There is room, records are gone, or it is the end. */
  void changed() {
    changed.signalAll();
  }

  /** The sender has seen all that there is, and waits or does not. */
  void senderWaits(boolean waits) {
    senderWaits = waits;
    hasNews = false;
  }

  /** Ends the sender's wait, if it waits, so that it looks again. */
  void wakeSenderIfItWaits() {
    if (senderWaits) {
      senderWaits = false;
      wakeSender.run();
    }
  }

  /** Ends the sender's wait, or its next one. */
  void wakeSender() {
    wakeSender.run();
  }

  /**
   * Waits for a change, with the lock free meanwhile.
   *
   * @return whether it was interrupted, which must not lose records
   */
  @SuppressWarnings("WaitNotInLoop") // the caller's
  boolean interruptedAwait(long nanos) {
    wakeKeeper();
    if (wakes()) {
      wakeSender.run();
    }
    try {
      changed.awaitNanos(nanos);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Waits while a condition holds, at most until a moment, whether or not it is interrupted. */
  void awaitWhile(BooleanSupplier condition, long deadlineNanos) {
    boolean interrupted = false;
    long left = deadlineNanos - System.nanoTime();
    while (condition.getAsBoolean() && left > 0) {
      interrupted |= interruptedAwait(left);
      left = deadlineNanos - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The keeper waits until there is work for it, or a time has passed. */
  @SuppressWarnings("WaitNotInLoop") // the caller's
  void awaitKeeperWork(long nanos) throws InterruptedException {
    keeperWaits = true;
    keeperWork.awaitNanos(nanos);
    keeperWaits = false;
  }

  private void wakeKeeper() {
    if (keeperWaits && keeperHasWork.getAsBoolean()) {
      keeperWaits = false;
      keeperWork.signal();
    }
  }

  private boolean wakes() {
    boolean wakes = senderWaits && hasNews;
    senderWaits &= !wakes;
    hasNews = false;
    return wakes;
  }

  /** A moment of {@link System#nanoTime} that is a time away; at most 292 years. */
  static long deadlineNanos(Duration timeout) {
    return System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
  }
}

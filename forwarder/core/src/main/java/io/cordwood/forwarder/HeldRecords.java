package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The records that a forwarder holds, and the one lock that guards all of it: the {@link Batches}
 * in their order, the {@link Buffers} they live in, the {@link Counters}. There is no I/O under it.
 * Three kinds of threads meet here: those that append ({@link RecordIntake}), the sender ({@link
 * SendBuffer}) and, where there is a spool, its keeper ({@link SpoolExchange}).
 */
final class HeldRecords {
  private static final int SPINS = 100;

  final ReentrantLock lock = new ReentrantLock();

  /** Room, records that are gone, or the end. */
  final Condition changed = lock.newCondition();

  final Counters counters = new Counters();
  final Batches batches;
  final Buffers buffers;
  final DropReports reports;

  /** Those whose batches go back to their makers. */
  final Set<String> refusedTopics = new HashSet<>();

  /** Null without a spool. */
  final @Nullable SpoolExchange spool;

  private final Runnable wakeSender;

  boolean senderWaits;
  boolean hasNews;
  int flushers;
  boolean closed;

  /**
   * @param wakeSender ends the sender's wait, or its next one; it must not wait
   */
  HeldRecords(ForwarderOptions options, NodeClock clock, Runnable wakeSender) {
    byte[] origin = options.origin().bytes();
    SpoolOptions spoolOptions = options.spool();
    int loadBytes = spoolOptions == null ? 0 : options.windowBytes() / SpoolExchange.LOAD_SHARE;
    int ownBytes = options.windowBytes() - loadBytes;
    this.batches = new Batches(origin, clock, () -> hasNews = true);
    this.buffers = new Buffers(ownBytes, emptyBytes(origin) + options.batchBytes());
    this.reports = new DropReports(options.reportDrops(), wakeSender);
    this.wakeSender = wakeSender;
    this.spool =
        spoolOptions == null ? null : new SpoolExchange(this, options, ownBytes, loadBytes);
  }

  private static int emptyBytes(byte[] origin) {
    return BatchHeader.BYTES + origin.length;
  }

  /** Nobody holds the lock for long: to spin is mostly quicker than to sleep. */
  void lockSoon() {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  /** Whether the sender waits for what there is now; it is told when the lock is free. */
  private boolean wakes() {
    boolean wakes = senderWaits && hasNews;
    senderWaits &= !wakes;
    hasNews = false;
    return wakes;
  }

  void unlockAndWake() {
    wakeKeeper();
    boolean wakes = wakes();
    lock.unlock();
    if (wakes) {
      wakeSender.run();
    }
  }

  /** The lock is held, and will be waited with. */
  void wakeOthers() {
    wakeKeeper();
    if (wakes()) {
      wakeSender.run();
    }
  }

  private void wakeKeeper() {
    if (spool != null) {
      spool.wakeKeeper();
    }
  }

  /** Ends the sender's wait if it waits, whether or not there are news. */
  void wakeSender() {
    if (senderWaits) {
      senderWaits = false;
      wakeSender.run();
    }
  }

  /** Ends the sender's next wait in any case. */
  void alarmSender() {
    wakeSender.run();
  }

  /**
   * Waits for {@link #changed}; an interrupt does not lose records.
   *
   * @return whether it was interrupted
   */
  @SuppressWarnings("WaitNotInLoop") // the caller's
  boolean interruptedAwait(long nanos) {
    try {
      changed.awaitNanos(nanos);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  void drop(DropReason reason, long records) {
    counters.drop(reason, records);
    reports.dropped(reason, records);
  }

  /** Lets go of the memory of a batch that nobody reads any more. */
  void letGo(Batch batch) {
    if (batch.spooledIn() != null) {
      spool().letGo(batch);
    } else if (batch.made() == null) {
      buffers.release(batch.bytes());
    } else {
      buffers.forget(batch.bytes());
    }
  }

  private SpoolExchange spool() {
    if (spool == null) {
      throw new IllegalStateException("a spooled batch without a spool");
    }
    return spool;
  }

  ForwarderCounters counters() {
    long loadedBytes = spool == null ? 0 : spool.loadedBytes();
    SpoolCounters spooled = spool == null ? SpoolExchange.NO_COUNTERS : spool.counters();
    return counters.counters(batches.records(), buffers.usedBytes() + loadedBytes, spooled);
  }

  /** A moment of {@link System#nanoTime} that is a time away; at most 292 years. */
  static long deadlineNanos(Duration timeout) {
    return System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
  }
}

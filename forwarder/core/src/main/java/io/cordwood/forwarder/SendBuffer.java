package io.cordwood.forwarder;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records that a forwarder holds, within a fixed amount of memory, between the threads that
 * append or wait and the one sender thread that takes and acknowledges.
 *
 * <p>Its one lock owns everything: the {@link Batches} in their order, the {@link Buffers} they
 * live in, the {@link BatchBuilder} that puts records into them, the {@link Counters}. There is no
 * I/O under it. The bytes of a sent batch are read by the sender without the lock: they do not
 * change, and are not reused before that thread acknowledges them.
 */
final class SendBuffer {
  private static final int SPINS = 100;
  private static final long ENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Counters counters = new Counters();
  private final Batches batches;
  private final Buffers buffers;
  private final BatchBuilder builder;
  private final DropReports reports;

  private final long lingerNanos;
  private final int uploadBytes;
  private final WhenFull whenFull;
  private final Runnable wakeSender;

  private final BooleanSupplier ending;

  private boolean senderWaits;
  private boolean hasNews;
  private int flushers;
  private boolean closed;

  /**
   * @param ending whether threads that wait for room are to give up; asked with the lock held
   * @param wakeSender ends the sender's wait, or its next one; called with the lock held, so it
   *     must not wait
   */
  SendBuffer(
      ForwarderOptions options, InstantSource clock, Runnable wakeSender, BooleanSupplier ending) {
    byte[] topic = Batch.topicBytes(options.topic());
    int emptyBytes = Batch.HEADER_BYTES + topic.length;
    this.batches = new Batches(topic, () -> hasNews = true);
    this.buffers = new Buffers(options.windowBytes(), emptyBytes + options.batchBytes());
    this.builder = new BatchBuilder(batches, buffers, emptyBytes, options.batchBytes(), clock);
    this.reports = new DropReports(options.reportDrops(), wakeSender);
    this.lingerNanos = options.linger().toNanos();
    this.uploadBytes = options.uploadBytes();
    this.whenFull = options.whenFull();
    this.wakeSender = wakeSender;
    this.ending = ending;
  }

  /** Takes a copy of the piece, or drops and counts it and says false. */
  boolean append(RecordSlice slice) {
    boolean interrupted = false;
    lockSoon();
    try {
      while (!closed) {
        if (added(slice)) {
          return true;
        }
        if (whenFull == WhenFull.BLOCK) {
          if (ending.getAsBoolean()) {
            break;
          }
          long began = System.nanoTime();
          interrupted |= interruptedAwait();
          counters.blockedNanos += System.nanoTime() - began;
        } else if (whenFull == WhenFull.DROP_NEWEST || !droppedOldest()) {
          drop(slice, DropReason.NEWEST_WHEN_FULL);
          return false;
        }
      }
      drop(slice, DropReason.CLOSED);
      return false;
    } finally {
      unlockAndWake();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Nobody holds the lock for long: to spin is mostly quicker than to sleep. */
  private void lockSoon() {
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

  private void unlockAndWake() {
    boolean wakes = wakes();
    lock.unlock();
    if (wakes) {
      wakeSender.run();
    }
  }

  /** Waits for a change, at most until {@link #ending} is worth asking again. */
  @SuppressWarnings("WaitNotInLoop") // the caller's
  private boolean interruptedAwait() {
    if (wakes()) {
      wakeSender.run();
    }
    try {
      changed.awaitNanos(ENDING_NANOS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Counts a record that never was one to the sender. */
  void drop(DropReason reason) {
    lock.lock();
    try {
      drop(reason, 1);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a batch as it is; waits for room. False when the window is closed. */
  boolean append(PreparedBatch batch) {
    lock.lock();
    try {
      while (!closed && !buffers.hasRoom(batch.bytes().length)) {
        if (wakes()) {
          wakeSender.run();
        }
        changed.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      if (batches.open() != null) {
        batches.seal();
      }
      buffers.grow(batch.bytes().length);
      batches.queue(batch, builder.now());
      counters.appended += batch.records();
      return true;
    } finally {
      unlockAndWake();
    }
  }

  private void drop(RecordSlice slice, DropReason reason) {
    drop(reason, slice.records());
  }

  private void drop(DropReason reason, int records) {
    counters.appended += records;
    counters.drop(reason, records);
    reports.dropped(reason, records);
  }

  private boolean added(RecordSlice slice) {
    boolean added = builder.add(slice);
    counters.appended += added ? slice.records() : 0;
    return added;
  }

  private boolean addedReport(RecordSlice report) {
    boolean added = added(report);
    counters.reports += added ? 1 : 0;
    return added;
  }

  private void wake() {
    if (senderWaits) {
      senderWaits = false;
      wakeSender.run();
    }
  }

  /** False when nothing is queued: what is held then is on the wire, or being filled. */
  private boolean droppedOldest() {
    Batch oldest = batches.drop();
    if (oldest == null) {
      return false;
    }
    counters.drop(DropReason.OLDEST_WHEN_FULL, oldest.records());
    reports.dropped(DropReason.OLDEST_WHEN_FULL, oldest.records());
    letGo(oldest);
    changed.signalAll();
    return true;
  }

  /**
   * For how long a connection is not worth making, which in bulk mode is until there is an upload;
   * the sender waits until it is woken, and no longer than that.
   */
  long idleNanos() {
    lock.lock();
    try {
      long left = uploadBytes == 0 ? 0 : uploadLeft();
      senderWaits = left > 0;
      return left;
    } finally {
      lock.unlock();
    }
  }

  private long uploadLeft() {
    Batch oldest = batches.oldestUnsent();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    boolean enough = flushers > 0 || buffers.usedBytes() >= uploadBytes;
    return enough ? 0 : Math.max(0, lingerLeft(oldest));
  }

  /** Whether there is something to be sent. */
  boolean hasSome() {
    lock.lock();
    try {
      return batches.oldestUnsent() != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next batch to be sent, which then counts as sent on the present connection; null when it is
   * larger than the room, or when the sender has to wait: until it is woken, and no longer than
   * {@link #lingerNanos}.
   */
  @Nullable Batch take(int roomBytes) {
    lock.lock();
    try {
      if (!closed) {
        reports.write(this::addedReport);
      }
      Batch next = batches.oldestUnsent();
      if (next != null && next == batches.open() && isRipe(next)) {
        batches.seal();
      }
      next = batches.firstQueued();
      boolean fits = next != null && next.sizeBytes() <= roomBytes;
      senderWaits = !fits;
      hasNews = false;
      return fits ? sent() : null;
    } finally {
      lock.unlock();
    }
  }

  private Batch sent() {
    Batch batch = batches.send();
    counters.resent += batch.begin() ? batch.records() : 0;
    return batch;
  }

  private boolean isRipe(Batch batch) {
    return !batches.anySent() || flushers > 0 || lingerLeft(batch) <= 0;
  }

  private long lingerLeft(Batch batch) {
    return batch.openedNanos() + lingerNanos - System.nanoTime();
  }

  /** For how long the sender may wait, at least 0; {@link Long#MAX_VALUE} when nothing is open. */
  long lingerNanos() {
    lock.lock();
    try {
      Batch open = batches.open();
      long left = open == null ? Long.MAX_VALUE : Math.max(0, lingerLeft(open));
      return Math.min(left, reports.writeLeftNanos());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets go of the batches that lie wholly in the first records, up to a number, of this
   * connection.
   */
  void acknowledge(long recordsOfConnection) {
    List<Batch> gone;
    lock.lock();
    try {
      gone = batches.acknowledge(recordsOfConnection);
      for (Batch batch : gone) {
        counters.acknowledged += batch.records();
        letGo(batch);
        reports.room();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    for (Batch batch : gone) {
      Runnable acknowledged = batch.acknowledged();
      if (acknowledged != null) {
        acknowledged.run();
      }
    }
  }

  private void letGo(Batch batch) {
    if (batch.acknowledged() == null) {
      buffers.release(batch.bytes());
    } else {
      buffers.forget(batch.bytes());
    }
  }

  /** Counts a connection that was made, on which nothing is sent yet. */
  void connected() {
    lock.lock();
    try {
      counters.connects++;
      batches.connected();
    } finally {
      lock.unlock();
    }
  }

  /** Puts what was sent and not acknowledged before the queue again, in order; says how much. */
  long takeBack() {
    lock.lock();
    try {
      counters.disconnects++;
      return batches.takeBack();
    } finally {
      lock.unlock();
    }
  }

  /** Counts what came from one call of the sending side and is not a record. */
  void count(long cuts, long blankLines) {
    lock.lock();
    try {
      counters.cuts += cuts;
      counters.blankLines += blankLines;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all that was appended before is acknowledged or dropped. */
  Unacknowledged flush(Duration timeout) {
    lock.lock();
    try {
      return awaitFirst(batches.begun(), deadlineNanos(timeout));
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more, waits as {@link #flush} does, and drops what is left then. */
  Unacknowledged close(Duration timeout) {
    lock.lock();
    try {
      if (!closed) {
        reports.writeLast(this::addedReport);
      }
      closed = true;
      changed.signalAll();
      Unacknowledged unacknowledged = awaitFirst(batches.begun(), deadlineNanos(timeout));
      abandon();
      return unacknowledged;
    } finally {
      lock.unlock();
    }
  }

  /** By {@link System#nanoTime}; of time-outs beyond 292 years, the end of those. */
  static long deadlineNanos(Duration timeout) {
    return System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
  }

  private Unacknowledged awaitFirst(long number, long deadlineNanos) {
    flushers++;
    wake();
    boolean interrupted = false;
    long remaining = deadlineNanos - System.nanoTime();
    while (batches.holdsAnyOf(number) && remaining > 0) {
      try {
        remaining = changed.awaitNanos(remaining);
      } catch (InterruptedException e) {
        interrupted = true; // an interrupt must not lose records, and the wait is bounded
        remaining = deadlineNanos - System.nanoTime();
      }
    }
    flushers--;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return new Unacknowledged(batches.recordsOf(number));
  }

  /** Drops all that is held, and whatever comes. The sender may still be reading a batch of it. */
  void abandon() {
    lock.lock();
    try {
      closed = true;
      for (Batch batch : batches.drain()) {
        counters.drop(DropReason.CLOSED, batch.records());
        buffers.forget(batch.bytes());
      }
      wakeSender.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The counters, when the listener is to hear of drops now; null otherwise. */
  @Nullable ForwarderCounters dropsToTell() {
    if (!reports.hasUntold()) {
      return null;
    }
    lock.lock();
    try {
      return reports.tell() ? counters.counters(batches.records(), buffers.usedBytes()) : null;
    } finally {
      lock.unlock();
    }
  }

  /** For how long there are no drops to tell; {@link Long#MAX_VALUE} when none is left untold. */
  long tellLeftNanos() {
    if (!reports.hasUntold()) {
      return Long.MAX_VALUE;
    }
    lock.lock();
    try {
      return reports.tellLeftNanos();
    } finally {
      lock.unlock();
    }
  }

  ForwarderCounters counters() {
    lock.lock();
    try {
      return counters.counters(batches.records(), buffers.usedBytes());
    } finally {
      lock.unlock();
    }
  }
}

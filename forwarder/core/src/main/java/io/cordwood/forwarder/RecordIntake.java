package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The end of {@link HeldRecords} at which many threads append: it copies records into batches, and
 * does what {@link WhenFull} says where there is no room.
 */
final class RecordIntake {
  private static final long ENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HeldRecords held;
  private final BatchBuilder builder;
  private final WhenFull whenFull;
  private final BooleanSupplier ending;

  /**
   * @param ending whether threads that wait for room are to give up; asked with the lock held
   */
  RecordIntake(
      HeldRecords held, ForwarderOptions options, InstantSource clock, BooleanSupplier ending) {
    this.held = held;
    int emptyBytes = BatchHeader.BYTES + options.origin().bytes().length;
    this.builder =
        new BatchBuilder(held.batches, held.buffers, emptyBytes, options.batchBytes(), clock);
    this.whenFull = options.whenFull();
    this.ending = ending;
  }

  /** Takes a copy of the piece, or drops and counts it and says false. */
  boolean append(RecordSlice slice) {
    boolean interrupted = false;
    held.lockSoon();
    try {
      while (!held.closed) {
        if (added(slice)) {
          return true;
        }
        if (whenFull == WhenFull.BLOCK) {
          if (ending.getAsBoolean()) {
            break;
          }
          interrupted |= interruptedWaitForRoom();
        } else if (whenFull == WhenFull.DROP_NEWEST || !droppedOldest()) {
          drop(DropReason.NEWEST_WHEN_FULL, slice.records());
          return false;
        }
      }
      drop(DropReason.CLOSED, slice.records());
      return false;
    } finally {
      held.unlockAndWake();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a change, at most until {@link #ending} is worth asking again. */
  private boolean interruptedWaitForRoom() {
    held.wakeOthers();
    long began = System.nanoTime();
    boolean interrupted = held.interruptedAwait(ENDING_NANOS);
    held.counters.blockedNanos += System.nanoTime() - began;
    return interrupted;
  }

  /**
   * Takes a batch as it is, or gives it back at once if its topic is refused; waits for room. False
   * when the forwarder is closed.
   */
  boolean append(PreparedBatch batch) {
    Runnable refused = batch.refused();
    held.lock.lock();
    try {
      while (!held.closed && !goesBack(batch) && !held.buffers.hasRoom(batch.bytes().length)) {
        held.wakeOthers();
        held.changed.awaitUninterruptibly();
      }
      if (held.closed) {
        return false;
      }
      if (refused != null && goesBack(batch)) {
        refused.run();
        return true;
      }
      if (held.batches.open() != null) {
        held.batches.seal();
      }
      held.buffers.grow(batch.bytes().length);
      held.batches.queue(batch, builder.now());
      held.counters.appended += batch.records();
      return true;
    } finally {
      held.unlockAndWake();
    }
  }

  private boolean goesBack(PreparedBatch batch) {
    return batch.refused() != null && held.refusedTopics.contains(batch.topic());
  }

  /** Appends what is to be said of drops; false when there is no room. The lock is held. */
  boolean appendReport(RecordSlice report) {
    boolean added = added(report);
    held.counters.reports += added ? 1 : 0;
    return added;
  }

  private boolean added(RecordSlice slice) {
    boolean added = builder.add(slice);
    held.counters.appended += added ? slice.records() : 0;
    return added;
  }

  /** False when nothing is queued: what is held then is on the wire, or being filled. */
  private boolean droppedOldest() {
    Batch oldest = held.batches.drop();
    if (oldest == null) {
      return false;
    }
    held.drop(DropReason.OLDEST_WHEN_FULL, oldest.records());
    held.letGo(oldest);
    held.changed.signalAll();
    return true;
  }

  /** Counts a record that never was one to the sender. */
  void drop(DropReason reason) {
    held.lock.lock();
    try {
      drop(reason, 1);
    } finally {
      held.lock.unlock();
    }
  }

  private void drop(DropReason reason, int records) {
    held.counters.appended += records;
    held.drop(reason, records);
  }

  /** Counts what came from one call of the sending side and is not a record. */
  void count(long cuts, long blankLines) {
    held.lock.lock();
    try {
      held.counters.cuts += cuts;
      held.counters.blankLines += blankLines;
    } finally {
      held.lock.unlock();
    }
  }
}

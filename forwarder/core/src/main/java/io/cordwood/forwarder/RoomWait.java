package io.cordwood.forwarder;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Those who append to a {@link RecordQueue}, while it is full: they wait, drop what is oldest, or
 * drop what they have, by {@link WhenFull}. Any number of threads, under the queue's lock.
 */
final class RoomWait {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final long ENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final QueueLock lock;
  private final RecordIntake intake;
  private final Counters counters;
  private final WhenFull whenFull;
  private final BooleanSupplier ending;

  /**
   * @param ending whether threads that wait for room are to give up; asked with the lock held
   */
  RoomWait(
      QueueLock lock,
      RecordIntake intake,
      Counters counters,
      WhenFull whenFull,
      BooleanSupplier ending) {
    this.lock = lock;
    this.intake = intake;
    this.counters = counters;
    this.whenFull = whenFull;
    this.ending = ending;
  }

  /** Takes a copy of the piece, or drops and counts it and says false. */
  boolean append(RecordSlice slice) {
    boolean interrupted = false;
    lock.lockSoon();
    try {
      while (!intake.isClosed()) {
        if (intake.add(slice)) {
          return true;
        }
        if (whenFull == WhenFull.BLOCK) {
          if (ending.getAsBoolean()) {
            break;
          }
          interrupted |= interruptedWaitForRoom();
        } else if (whenFull == WhenFull.DROP_OLDEST && intake.dropOldest()) {
          lock.changed();
        } else {
          intake.drop(DropReason.NEWEST_WHEN_FULL, slice.records());
          return false;
        }
      }
      intake.drop(DropReason.CLOSED, slice.records());
      return false;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a change, at most until {@link #ending} is worth asking again. */
  private boolean interruptedWaitForRoom() {
    long began = System.nanoTime();
    boolean interrupted = lock.interruptedAwait(ENDING_NANOS);
    counters.blockedNanos += System.nanoTime() - began;
    return interrupted;
  }

  /**
   * Takes a batch as it is, or gives it back at once if its origin is refused; waits for room.
   * False when the forwarder is closed.
   */
  boolean append(PreparedBatch batch) {
    lock.lock();
    try {
      lock.awaitWhile(() -> isFullFor(batch), QueueLock.deadlineNanos(FOREVER));
      if (intake.isClosed()) {
        return false;
      }
      Runnable back = intake.wayBack(batch);
      if (back == null) {
        intake.add(batch);
      } else {
        back.run();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFullFor(PreparedBatch batch) {
    return !intake.isClosed() && intake.wayBack(batch) == null && !intake.hasRoom(batch);
  }
}

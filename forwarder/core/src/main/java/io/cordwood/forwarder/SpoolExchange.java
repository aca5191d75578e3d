package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The end of {@link HeldRecords} at which the spool's keeper moves batches to the disk and back.
 *
 * <p>Of the memory, a part is for what comes from the spool, so that there is a way out however
 * much comes in. Of the rest, at most a half is on the wire at a time, so that there is always
 * something to move. When three quarters of it are taken, what is queued is moved until a half is
 * free.
 */
final class SpoolExchange {
  static final SpoolCounters NO_COUNTERS = new SpoolCounters(0, 0, 0, 0, 0);

  /** One part in four of the memory is for what comes from the spool. */
  static final int LOAD_SHARE = 4;

  private static final int ROUND_BYTES = 4 << 20;
  private static final int LARGEST_BATCH_BYTES = BatchHeader.MAX_RECORD_BYTES + 256;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HeldRecords held;
  private final Condition work;
  private final Batches batches;
  private final boolean dropsOldest;
  private final int ownBytes;
  private final int loadBytes;
  private final int storeFromBytes;
  private final List<SpoolFile> acknowledged = new ArrayList<>();
  private final ArrayDeque<String> untold = new ArrayDeque<>();

  private boolean keeperWaits;
  private boolean opened;
  private boolean ended;
  private boolean storesAll;
  private boolean full;
  private boolean failing;
  private long retryNanos;
  private long loadedBytes;
  private long recovered;
  private long fileBytes;
  private long damagedBytes;
  private long failures;

  /**
   * @param ownBytes of memory for what is appended
   * @param loadBytes of memory for what comes from the spool
   */
  SpoolExchange(HeldRecords held, ForwarderOptions options, int ownBytes, int loadBytes) {
    this.held = held;
    this.work = held.lock.newCondition();
    this.batches = held.batches;
    this.dropsOldest = options.whenFull() == WhenFull.DROP_OLDEST;
    this.ownBytes = ownBytes;
    this.loadBytes = loadBytes;
    this.storeFromBytes = ownBytes / 4 * 3;
  }

  /** Whether it may be on the wire with all that is there. The lock is held. */
  boolean maySend(Batch batch) {
    return batch.spooledIn() != null
        || batches.sentOwnBytes() == 0
        || batches.sentOwnBytes() + batch.bytes().length <= ownBytes / 2;
  }

  /** A batch from the spool has arrived. The lock is held. */
  void letGo(Batch batch) {
    loadedBytes -= batch.bytes().length;
    acknowledged.add(Objects.requireNonNull(batch.spooledIn()));
  }

  /** Ends the keeper's wait if there is something for it. The lock is held. */
  void wakeKeeper() {
    if (keeperWaits && hasWork()) {
      keeperWaits = false;
      work.signal();
    }
  }

  private boolean hasWork() {
    return ended || !acknowledged.isEmpty() || (opened ? isLoadable() || isStorable() : !failing);
  }

  private boolean isLoadable() {
    return batches.spooledRecords() > 0
        && loadedBytes + LARGEST_BATCH_BYTES <= loadBytes
        && !storesAll;
  }

  private boolean isStorable() {
    if (full || failing) {
      return false;
    }
    return batches.anyQueued() && (storesAll || held.buffers.usedBytes() > storeFromBytes);
  }

  /** Waits until there is something to do; false when the forwarder has ended. */
  boolean awaitWork() {
    held.lock.lock();
    try {
      while (!hasWork()) {
        keeperWaits = true;
        long left = failing ? retryNanos - System.nanoTime() : Long.MAX_VALUE;
        failing &= left > 0;
        work.awaitNanos(left);
      }
      keeperWaits = false;
      return !ended;
    } catch (InterruptedException e) {
      return false; // nobody interrupts this thread but a process that ends
    } finally {
      held.lock.unlock();
    }
  }

  boolean isOpened() {
    held.lock.lock();
    try {
      return opened;
    } finally {
      held.lock.unlock();
    }
  }

  /** Whether it is not known yet what earlier forwarders have left. The lock is held. */
  boolean isOpening() {
    return !opened && !ended && failures == 0;
  }

  /** There is a spool from now on, with what was found in it. */
  void opened(Spool spool) {
    held.lock.lock();
    try {
      opened = true;
      recovered = spool.unreadRecords();
      batches.spooled(recovered);
      update(spool);
      held.changed.signalAll();
    } finally {
      held.unlockAndWake();
    }
  }

  /** The files of batches that have arrived; each is given once for each batch. */
  List<SpoolFile> takeAcknowledged() {
    held.lock.lock();
    try {
      List<SpoolFile> taken = List.copyOf(acknowledged);
      acknowledged.clear();
      return taken;
    } finally {
      held.lock.unlock();
    }
  }

  boolean wantsBatches() {
    held.lock.lock();
    try {
      return isLoadable() && !ended;
    } finally {
      held.lock.unlock();
    }
  }

  /** A batch of the spool is in memory too, to be sent; null when there was none left. */
  void loaded(@Nullable Batch batch) {
    held.lock.lock();
    try {
      if (ended) {
        return; // it is on the disk, and counted as there
      }
      if (batch != null && batches.load(batch)) {
        loadedBytes += batch.bytes().length;
      }
    } finally {
      held.unlockAndWake();
    }
  }

  /**
   * Leaves what an earlier forwarder has spooled of a topic to the next one, so that it holds up
   * nothing else.
   *
   * @param reason for which all targets refuse it
   * @return whether there was something
   */
  boolean leave(String topic, String reason) {
    held.lock.lock();
    try {
      List<Batch> gone = batches.leave(topic);
      gone.forEach(batch -> loadedBytes -= batch.bytes().length);
      if (!gone.isEmpty()) {
        tell(
            "records of the topic %s are refused, and stay in the spool for the next start: %s"
                .formatted(topic, reason));
        held.changed.signalAll();
      }
      return !gone.isEmpty();
    } finally {
      held.unlockAndWake();
    }
  }

  /** Batches to be written now, oldest first; {@link #stored} must follow. */
  List<Batch> takeToStore() {
    List<Batch> taken = new ArrayList<>();
    held.lock.lock();
    try {
      if (!opened || ended || !isStorable()) {
        return taken;
      }
      long bytes = 0;
      long enough = storesAll ? Long.MAX_VALUE : held.buffers.usedBytes() - ownBytes / 2;
      for (Batch batch = batches.move(); batch != null; batch = next(bytes, enough)) {
        taken.add(batch);
        bytes += batch.bytes().length;
      }
      return taken;
    } finally {
      held.lock.unlock();
    }
  }

  private @Nullable Batch next(long bytes, long enough) {
    return bytes >= ROUND_BYTES || bytes >= enough ? null : batches.move();
  }

  /**
   * The first of those taken, as many as {@code count} says, are forced to the disk.
   *
   * @param all whether there was room for all
   */
  void stored(int count, boolean all, Spool spool) {
    held.lock.lock();
    try {
      failing = false;
      for (Batch batch : batches.moved(count)) {
        held.buffers.forget(batch.bytes());
      }
      full = !all;
      held.reports.room();
      update(spool);
      held.changed.signalAll();
    } finally {
      held.unlockAndWake();
    }
  }

  /** Counts records of the spool as dropped. */
  void dropped(DropReason reason, long records) {
    if (records == 0) {
      return;
    }
    held.lock.lock();
    try {
      batches.spooled(-records);
      held.drop(reason, records);
      held.changed.signalAll();
    } finally {
      held.unlockAndWake();
    }
  }

  /** Takes over what the spool says of itself; a deleted file makes room. */
  void updated(Spool spool) {
    held.lock.lock();
    try {
      full &= spool.bytes() >= fileBytes;
      update(spool);
    } finally {
      held.unlockAndWake();
    }
  }

  private void update(Spool spool) {
    fileBytes = spool.bytes();
    damagedBytes = spool.damagedBytes();
    spool.takeComplaints().forEach(this::tell);
  }

  /** It failed, and is tried again in a second; until then memory is all there is. */
  void failed(String complaint) {
    held.lock.lock();
    try {
      failures++;
      failing = true;
      retryNanos = System.nanoTime() + RETRY_NANOS;
      batches.moved(0);
      held.changed.signalAll();
      tell(complaint);
    } finally {
      held.unlockAndWake();
    }
  }

  boolean dropsOldest() {
    return dropsOldest;
  }

  private void tell(String complaint) {
    if (untold.size() < 16) {
      untold.add(complaint);
      held.alarmSender();
    }
  }

  /** The next complaint for the listener; null when there is none. */
  @Nullable String toTell() {
    held.lock.lock();
    try {
      return untold.poll();
    } finally {
      held.lock.unlock();
    }
  }

  /**
   * Has the keeper move all that is held in memory alone, and waits for it, at most until a moment.
   * The lock is held.
   */
  void storeAll(long deadlineNanos) {
    storesAll = true;
    failing = false;
    batches.queueAll();
    boolean interrupted = false;
    held.wakeOthers();
    long left = deadlineNanos - System.nanoTime();
    while (!ended && mayStillStore() && left > 0) {
      interrupted |= held.interruptedAwait(left);
      left = deadlineNanos - System.nanoTime();
    }
    storesAll = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean mayStillStore() {
    return batches.anyMoving() || (batches.anyQueued() && !full && !failing);
  }

  /** The forwarder has ended; the keeper will. The lock is held. */
  void end() {
    ended = true;
    loadedBytes = 0;
    keeperWaits = false;
    work.signal();
  }

  long loadedBytes() {
    return loadedBytes;
  }

  SpoolCounters counters() {
    return new SpoolCounters(
        recovered,
        batches.spooledRecords() + batches.leftRecords(),
        fileBytes,
        damagedBytes,
        failures);
  }
}

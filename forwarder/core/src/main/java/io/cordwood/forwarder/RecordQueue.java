package io.cordwood.forwarder;

import io.cordwood.common.wire.Origin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records that a forwarder holds, in their order. Many threads append; one, the sender, takes
 * batches and acknowledges them; where there is a spool, its keeper moves batches to the disk and
 * back; and some wait for the end of what was appended.
 *
 * <p>All of them meet under one lock, which is taken in this class, and for those who append in
 * {@link RoomWait}; there is no I/O under it. What it guards, the {@link Batches}, {@link Buffers},
 * {@link Counters}, {@link DropReports} and the {@link SpoolExchange}, knows nothing of threads.
 * The bytes of a sent batch are read by the sender without the lock: they do not change, and are
 * not reused before that thread acknowledges them.
 */
final class RecordQueue {
  private final QueueLock lock;
  private final Counters counters = new Counters();
  private final Batches batches;
  private final Buffers buffers;
  private final RecordIntake intake;
  private final SendTiming timing;
  private final DropReports reports;
  private final SpoolExchange spool;

  private final RoomWait appending;
  private int flushers;

  /**
   * @param clock this machine's
   * @param nodeClock corrects it
   * @param wakeSender ends the sender's wait, or its next one; called with the lock held, so it
   *     must not wait
   * @param ending whether threads that wait for room are to give up; asked with the lock held
   */
  RecordQueue(
      ForwarderOptions options,
      InstantSource clock,
      NodeClock nodeClock,
      Runnable wakeSender,
      BooleanSupplier ending) {
    this.lock = new QueueLock(wakeSender);
    this.batches = new Batches(options.records().origin().bytes(), nodeClock, lock::news);
    this.buffers = Buffers.of(options);
    this.reports = new DropReports(options.memory().reportDrops(), counters, wakeSender);
    this.intake = new RecordIntake(options, batches, buffers, counters, reports, clock);
    this.timing = new SendTiming(batches, buffers, options);
    this.spool = new SpoolExchange(options, batches, buffers, reports, wakeSender);
    lock.wakeKeeperFor(spool::hasWork);
    this.appending = new RoomWait(lock, intake, counters, options.memory().whenFull(), ending);
  }

  // ---- those who append

  /** Takes a copy of the piece, or drops and counts it and says false. */
  boolean append(RecordSlice slice) {
    return appending.append(slice);
  }

  /**
   * Takes a batch as it is, or gives it back at once if its origin is refused; waits for room.
   * False when the forwarder is closed.
   */
  boolean append(PreparedBatch batch) {
    return appending.append(batch);
  }

  /** Counts a record that never was one to the sender. */
  void drop(DropReason reason) {
    lock.locked(() -> intake.drop(reason, 1));
  }

  void count(Consumer<Counters> what) {
    lock.locked(() -> what.accept(counters));
  }

  // ---- the sender

  /**
   * For how long a connection is not worth making, which in bulk mode is until there is an upload;
   * the sender waits until it is woken, and no longer than that.
   */
  long idleNanos() {
    return lock.locked(() -> {
      long left = timing.uploadLeftNanos(flushers > 0);
      lock.senderWaits(left > 0);
      return left;
    });
  }

  /** Whether there is something to be sent. */
  boolean hasSome() {
    return lock.locked(() -> batches.oldestUnsent() != null);
  }

  /**
   * The next batch to be sent, which then counts as sent on the present connection; null when it is
   * larger than the room, or when the sender has to wait: until it is woken, and no longer than
   * {@link #lingerNanos}.
   */
  @Nullable OutgoingBatch take(int roomBytes) {
    return lock.<@Nullable OutgoingBatch>locked(() -> {
      if (!intake.isClosed()) {
        reports.write(intake::addReport);
      }
      if (timing.isOpenRipe(flushers > 0)) {
        batches.seal();
      }
      OutgoingBatch next = batches.firstQueued();
      boolean fits = next != null && next.sizeBytes() <= roomBytes && spool.maySend(next);
      lock.senderWaits(!fits);
      return fits ? sent() : null;
    });
  }

  private OutgoingBatch sent() {
    OutgoingBatch batch = batches.send();
    counters.resent += batch.begin() ? batch.records() : 0;
    return batch;
  }

  /** For how long the sender may wait, at least 0; {@link Long#MAX_VALUE} when nothing is open. */
  long lingerNanos() {
    return lock.locked(() -> {
      OutgoingBatch open = batches.isSpoolAhead() ? null : batches.open();
      long left =
          open != null && spool.maySend(open) ? timing.lingerLeftNanos(open) : Long.MAX_VALUE;
      return Math.min(left, reports.writeLeftNanos());
    });
  }

  /** Releases the batches that lie wholly in the first records, up to a number, of a connection. */
  void acknowledge(long recordsOfConnection) {
    List<OutgoingBatch> gone =
        lock.locked(() -> {
          List<OutgoingBatch> whole = batches.acknowledge(recordsOfConnection);
          for (OutgoingBatch batch : whole) {
            counters.acknowledged += batch.records();
            if (batch.spooledIn() == null) {
              buffers.release(batch);
            } else {
              spool.acknowledged(batch);
            }
            reports.room();
            lock.changed();
          }
          return whole;
        });
    for (OutgoingBatch batch : gone) {
      PreparedBatch made = batch.made();
      if (made != null) {
        made.acknowledged().run();
      }
    }
  }

  /** Counts a connection that was made, on which nothing is sent yet. */
  void connected() {
    lock.locked(() -> {
      counters.connects++;
      batches.connected();
    });
  }

  /** Puts what was sent and not acknowledged before the queue again, in order; says how much. */
  long takeBack() {
    return lock.locked(() -> {
      counters.disconnects++;
      return batches.takeBack();
    });
  }

  /**
   * Counts a refusal, and gives the batches that it concerns back to those makers who take them.
   *
   * @return whether there are any; otherwise all goes on as it was
   */
  boolean refused(Refusal refusal) {
    return lock.locked(() -> {
      counters.refuse(refusal.reason());
      lock.changed();
      List<PreparedBatch> back = intake.giveBack(refusal.origin());
      // Before the lock is free: a later batch of the origin goes back at once, and after these.
      back.forEach(batch -> Objects.requireNonNull(batch.refused()).run());
      return !back.isEmpty();
    });
  }

  /** The origin of what is to be sent first; null for nothing. */
  @Nullable Origin firstOrigin() {
    return lock.<@Nullable Origin>locked(batches::firstOrigin);
  }

  /** Takes batches of an origin again. */
  void admit(Origin origin) {
    lock.locked(() -> intake.admit(origin));
  }

  // ---- the spool's keeper

  boolean hasSpool() {
    return spool.exists();
  }

  /** Waits until the spool's keeper has something to do; false when the forwarder has ended. */
  boolean awaitSpoolWork() {
    lock.lock();
    try {
      while (!spool.hasWork()) {
        lock.awaitKeeperWork(spool.pauseLeftNanos());
      }
      return !spool.hasEnded();
    } catch (InterruptedException e) {
      return false; // nobody interrupts this thread but a process that ends
    } finally {
      lock.unlock();
    }
  }

  /** Does something with the spool's share, that may be what others wait for. */
  void exchange(Consumer<SpoolExchange> action) {
    lock.locked(() -> {
      action.accept(spool);
      lock.changed();
    });
  }

  /** Does something with the spool's share, as {@link #exchange} does, and gives the answer. */
  <T extends @Nullable Object> T exchanged(Function<SpoolExchange, T> action) {
    return lock.locked(() -> {
      lock.changed();
      return action.apply(spool);
    });
  }

  // ---- those who wait

  /** Waits until all that was appended before is acknowledged or dropped. */
  Unacknowledged flush(Duration timeout) {
    return lock.locked(() -> {
      long last = batches.begun();
      awaitFirst(last, QueueLock.deadlineNanos(timeout));
      return new Unacknowledged(batches.recordsOf(last));
    });
  }

  /** As {@link #flush} for the first time; the second is for the spool to take the rest. */
  void flushToSpool(Duration acknowledging, Duration spooling) {
    lock.locked(() -> awaitAllOrSpool(acknowledging, spooling));
  }

  /** Takes no more, waits as {@link #flushToSpool} does, and drops what is left then. */
  Unacknowledged close(Duration acknowledging, Duration spooling) {
    return lock.locked(() -> {
      if (!intake.isClosed()) {
        reports.writeLast(intake::addReport);
      }
      intake.close();
      lock.changed();
      awaitAllOrSpool(acknowledging, spooling);
      return new Unacknowledged(abandonAll());
    });
  }

  private void awaitAllOrSpool(Duration acknowledging, Duration spooling) {
    awaitFirst(batches.begun(), QueueLock.deadlineNanos(acknowledging));
    if (spool.exists()) {
      spool.beginToStoreAll();
      lock.awaitWhile(spool::isStoringAll, QueueLock.deadlineNanos(spooling));
      spool.endToStoreAll();
      lock.wakeSenderIfItWaits(); // what the spool did not take is sent on
    }
  }

  private void awaitFirst(long number, long deadlineNanos) {
    flushers++;
    lock.wakeSenderIfItWaits(); // what is open goes, too
    lock.awaitWhile(() -> spool.isOpening() || batches.holdsAnyOf(number), deadlineNanos);
    flushers--;
  }

  /** Drops all that is held, and whatever comes. The sender may still be reading a batch of it. */
  void abandon() {
    lock.locked(this::abandonAll);
  }

  private long abandonAll() {
    intake.close();
    long dropped = 0;
    for (OutgoingBatch batch : batches.drain()) {
      if (batch.spooledIn() == null) {
        dropped += batch.records();
        reports.dropped(DropReason.CLOSED, batch.records());
        buffers.forget(batch.bytes());
      }
    }
    spool.end();
    lock.wakeSender();
    lock.changed();
    return dropped;
  }

  boolean isClosed() {
    return lock.locked(intake::isClosed);
  }

  /** The counters, when the listener is to hear of drops now; null otherwise. */
  @Nullable ForwarderCounters dropsToTell() {
    return reports.hasUntold()
        ? lock.<@Nullable ForwarderCounters>locked(() -> reports.tell() ? allCounters() : null)
        : null;
  }

  /** The next complaint of the spool for the listener; null when there is none. */
  @Nullable String spoolComplaint() {
    return lock.<@Nullable String>locked(spool::toTell);
  }

  /** For how long there are no drops to tell; {@link Long#MAX_VALUE} when none is left untold. */
  long tellLeftNanos() {
    return reports.hasUntold() ? lock.locked(reports::tellLeftNanos) : Long.MAX_VALUE;
  }

  ForwarderCounters counters() {
    return lock.locked(this::allCounters);
  }

  private ForwarderCounters allCounters() {
    long bytes = buffers.usedBytes() + spool.loadedBytes();
    return counters.counters(batches.records(), bytes, spool.counters());
  }
}

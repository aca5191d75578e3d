package io.cordwood.forwarder;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of {@link HeldRecords} at which one thread, the sender, takes batches and acknowledges
 * them; and the waits for their end. The bytes of a sent batch are read by the sender without the
 * lock: they do not change, and are not reused before that thread acknowledges them.
 */
final class SendBuffer {
  private final HeldRecords held;
  private final RecordIntake intake;
  private final Batches batches;
  private final DropReports reports;
  private final long lingerNanos;
  private final int uploadBytes;

  /**
   * @param clock this machine's
   * @param nodeClock corrects it
   * @param ending whether threads that wait for room are to give up; asked with the lock held
   * @param wakeSender ends the sender's wait, or its next one; called with the lock held, so it
   *     must not wait
   */
  SendBuffer(
      ForwarderOptions options,
      InstantSource clock,
      NodeClock nodeClock,
      Runnable wakeSender,
      BooleanSupplier ending) {
    this.held = new HeldRecords(options, nodeClock, wakeSender);
    this.intake = new RecordIntake(held, options, clock, ending);
    this.batches = held.batches;
    this.reports = held.reports;
    this.lingerNanos = options.linger().toNanos();
    this.uploadBytes = options.uploadBytes();
  }

  /** The other end. */
  RecordIntake intake() {
    return intake;
  }

  /** Null without a spool. */
  @Nullable SpoolExchange spool() {
    return held.spool;
  }

  /**
   * For how long a connection is not worth making, which in bulk mode is until there is an upload;
   * the sender waits until it is woken, and no longer than that.
   */
  long idleNanos() {
    held.lock.lock();
    try {
      long left = uploadBytes == 0 ? 0 : uploadLeft();
      held.senderWaits = left > 0;
      return left;
    } finally {
      held.lock.unlock();
    }
  }

  private long uploadLeft() {
    Batch oldest = batches.oldestUnsent();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    boolean enough = held.flushers > 0 || held.buffers.usedBytes() >= uploadBytes;
    return enough ? 0 : Math.max(0, lingerLeft(oldest));
  }

  /** Whether there is something to be sent. */
  boolean hasSome() {
    held.lock.lock();
    try {
      return batches.oldestUnsent() != null;
    } finally {
      held.lock.unlock();
    }
  }

  /**
   * The next batch to be sent, which then counts as sent on the present connection; null when it is
   * larger than the room, or when the sender has to wait: until it is woken, and no longer than
   * {@link #lingerNanos}.
   */
  @Nullable Batch take(int roomBytes) {
    held.lock.lock();
    try {
      if (!held.closed) {
        reports.write(intake::appendReport);
      }
      Batch next = batches.oldestUnsent();
      if (next != null && next == batches.open() && isRipe(next)) {
        batches.seal();
      }
      next = batches.firstQueued();
      boolean fits = next != null && next.sizeBytes() <= roomBytes && maySend(next);
      held.senderWaits = !fits;
      held.hasNews = false;
      return fits ? sent() : null;
    } finally {
      held.lock.unlock();
    }
  }

  private Batch sent() {
    Batch batch = batches.send();
    held.counters.resent += batch.begin() ? batch.records() : 0;
    return batch;
  }

  private boolean isRipe(Batch batch) {
    return !batches.anySent() || held.flushers > 0 || lingerLeft(batch) <= 0;
  }

  private boolean maySend(Batch batch) {
    return held.spool == null || held.spool.maySend(batch);
  }

  private long lingerLeft(Batch batch) {
    return batch.openedNanos() + lingerNanos - System.nanoTime();
  }

  /** For how long the sender may wait, at least 0; {@link Long#MAX_VALUE} when nothing is open. */
  long lingerNanos() {
    held.lock.lock();
    try {
      Batch open = batches.isSpoolAhead() ? null : batches.open();
      long left = open != null && maySend(open) ? Math.max(0, lingerLeft(open)) : Long.MAX_VALUE;
      return Math.min(left, reports.writeLeftNanos());
    } finally {
      held.lock.unlock();
    }
  }

  /**
   * Lets go of the batches that lie wholly in the first records, up to a number, of this
   * connection.
   */
  void acknowledge(long recordsOfConnection) {
    List<Batch> gone;
    held.lock.lock();
    try {
      gone = batches.acknowledge(recordsOfConnection);
      for (Batch batch : gone) {
        held.counters.acknowledged += batch.records();
        held.letGo(batch);
        reports.room();
        held.changed.signalAll();
      }
    } finally {
      held.unlockAndWake();
    }
    for (Batch batch : gone) {
      PreparedBatch made = batch.made();
      if (made != null) {
        made.acknowledged().run();
      }
    }
  }

  /** Counts a connection that was made, on which nothing is sent yet. */
  void connected() {
    held.lock.lock();
    try {
      held.counters.connects++;
      batches.connected();
    } finally {
      held.lock.unlock();
    }
  }

  /** Counts a move to a less loaded node. */
  void moved() {
    held.lock.lock();
    try {
      held.counters.moves++;
    } finally {
      held.lock.unlock();
    }
  }

  /** Counts records that are sent without their labels. */
  void leftLabelsOut(int records) {
    held.lock.lock();
    try {
      held.counters.unlabelled += records;
    } finally {
      held.lock.unlock();
    }
  }

  /** Counts hints that are not followed. */
  void ignoredHints(long count) {
    if (count > 0) {
      held.lock.lock();
      try {
        held.counters.ignoredHints += count;
      } finally {
        held.lock.unlock();
      }
    }
  }

  /** Puts what was sent and not acknowledged before the queue again, in order; says how much. */
  long takeBack() {
    held.lock.lock();
    try {
      held.counters.disconnects++;
      return batches.takeBack();
    } finally {
      held.lock.unlock();
    }
  }

  /**
   * Counts a refusal, and gives the batches that it concerns back to those makers who take them.
   *
   * @return their topic; null when there are none, so that all goes on as it was
   */
  @Nullable String refused(Refusal refusal) {
    List<PreparedBatch> back;
    String topic;
    held.lock.lock();
    try {
      held.counters.refuse(refusal.reason());
      topic = refusal.reason() == RefusalReason.BATCH ? firstTopic() : refusal.topic();
      back = topic == null ? List.of() : batches.giveBack(topic);
      if (back.isEmpty()) {
        return null;
      }
      held.refusedTopics.add(topic);
      for (PreparedBatch batch : back) {
        held.counters.appended -= batch.records();
        held.buffers.forget(batch.bytes());
      }
      held.changed.signalAll();
    } finally {
      held.unlockAndWake();
    }
    for (PreparedBatch batch : back) {
      Objects.requireNonNull(batch.refused()).run();
    }
    return topic;
  }

  /** The topic of the first batch; null for an upload, which may have failed for another one. */
  private @Nullable String firstTopic() {
    Batch next = uploadBytes == 0 ? batches.firstQueued() : null;
    return next == null ? null : next.topic();
  }

  /** Takes batches of a topic again. */
  void admit(String topic) {
    held.lock.lock();
    try {
      held.refusedTopics.remove(topic);
    } finally {
      held.lock.unlock();
    }
  }

  /** Waits until all that was appended before is acknowledged or dropped. */
  Unacknowledged flush(Duration timeout) {
    held.lock.lock();
    try {
      long last = batches.begun();
      awaitFirst(last, HeldRecords.deadlineNanos(timeout));
      return new Unacknowledged(batches.recordsOf(last));
    } finally {
      held.lock.unlock();
    }
  }

  /** As {@link #flush} for the first time; the second is for the spool to take the rest. */
  void flushToSpool(Duration acknowledging, Duration spooling) {
    held.lock.lock();
    try {
      awaitAllOrSpool(acknowledging, spooling);
    } finally {
      held.lock.unlock();
    }
  }

  /** Takes no more, waits as {@link #flushToSpool} does, and drops what is left then. */
  Unacknowledged close(Duration acknowledging, Duration spooling) {
    held.lock.lock();
    try {
      if (!held.closed) {
        reports.writeLast(intake::appendReport);
      }
      held.closed = true;
      held.changed.signalAll();
      awaitAllOrSpool(acknowledging, spooling);
      return new Unacknowledged(abandonHeld());
    } finally {
      held.lock.unlock();
    }
  }

  private void awaitAllOrSpool(Duration acknowledging, Duration spooling) {
    awaitFirst(batches.begun(), HeldRecords.deadlineNanos(acknowledging));
    if (held.spool != null) {
      held.spool.storeAll(HeldRecords.deadlineNanos(spooling));
    }
  }

  private void awaitFirst(long number, long deadlineNanos) {
    held.flushers++;
    held.wakeSender();
    held.wakeOthers();
    boolean interrupted = false;
    long remaining = deadlineNanos - System.nanoTime();
    while ((isSpoolOpening() || batches.holdsAnyOf(number)) && remaining > 0) {
      interrupted |= held.interruptedAwait(remaining); // an interrupt must not lose records
      remaining = deadlineNanos - System.nanoTime();
    }
    held.flushers--;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isSpoolOpening() {
    return held.spool != null && held.spool.isOpening();
  }

  /** Drops all that is held, and whatever comes. The sender may still be reading a batch of it. */
  void abandon() {
    held.lock.lock();
    try {
      abandonHeld();
    } finally {
      held.lock.unlock();
    }
  }

  private long abandonHeld() {
    held.closed = true;
    long dropped = 0;
    for (Batch batch : batches.drain()) {
      if (batch.spooledIn() == null) {
        dropped += batch.records();
        held.counters.drop(DropReason.CLOSED, batch.records());
        held.buffers.forget(batch.bytes());
      }
    }
    if (held.spool != null) {
      held.spool.end();
    }
    held.alarmSender();
    held.changed.signalAll();
    return dropped;
  }

  boolean isClosed() {
    held.lock.lock();
    try {
      return held.closed;
    } finally {
      held.lock.unlock();
    }
  }

  /** The counters, when the listener is to hear of drops now; null otherwise. */
  @Nullable ForwarderCounters dropsToTell() {
    if (!reports.hasUntold()) {
      return null;
    }
    held.lock.lock();
    try {
      return reports.tell() ? held.counters() : null;
    } finally {
      held.lock.unlock();
    }
  }

  /** For how long there are no drops to tell; {@link Long#MAX_VALUE} when none is left untold. */
  long tellLeftNanos() {
    if (!reports.hasUntold()) {
      return Long.MAX_VALUE;
    }
    held.lock.lock();
    try {
      return reports.tellLeftNanos();
    } finally {
      held.lock.unlock();
    }
  }

  ForwarderCounters counters() {
    held.lock.lock();
    try {
      return held.counters();
    } finally {
      held.lock.unlock();
    }
  }
}

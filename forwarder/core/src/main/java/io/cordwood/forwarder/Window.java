package io.cordwood.forwarder;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All records that a forwarder holds, in order, within a fixed amount of memory:
 *
 * <pre>
 * append ──► open batch ──seal──► queued ──take──► sent ──acknowledge──► gone
 *                                    ▲               │
 *                                    └── takeBack ───┘   (connection lost)
 * </pre>
 *
 * Any thread appends and waits; one sender thread takes and acknowledges. Everything is owned by
 * one lock, under which there is no I/O. The bytes of a sent batch are read by the sender without
 * the lock: they do not change, and are not reused before that thread acknowledges them.
 */
final class Window {
  /** Records of an open batch share its time, so it is not kept open for longer, even offline. */
  private static final long MAX_OPEN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Stamper stamper = new Stamper();
  private final Tally tally = new Tally();
  private final ArrayDeque<Batch> queued = new ArrayDeque<>();
  private final ArrayDeque<Batch> sent = new ArrayDeque<>();

  private final byte[] topic;
  private final int batchBytes;
  private final long lingerNanos;
  private final int uploadBytes;
  private final WhenFull whenFull;
  private final InstantSource clock;
  private final Runnable wakeSender;
  private final Buffers buffers;

  private @Nullable Batch open;
  private long batches;
  private long pendingRecords;
  private long acknowledgedHere;
  private boolean senderWaits;
  private int flushers;
  private boolean closed;

  /**
   * @param wakeSender ends the sender's wait, or its next one; called with the lock held, so it
   *     must not wait
   */
  Window(ForwarderOptions options, InstantSource clock, Runnable wakeSender) {
    this.topic = Batch.topicBytes(options.topic());
    this.batchBytes = options.batchBytes();
    this.lingerNanos = options.linger().toNanos();
    this.uploadBytes = options.uploadBytes();
    this.whenFull = options.whenFull();
    this.clock = clock;
    this.wakeSender = wakeSender;
    int fullBytes = Batch.HEADER_BYTES + topic.length + batchBytes;
    this.buffers = new Buffers(options.windowBytes(), fullBytes);
  }

  /** Takes a copy of the piece, or drops and counts it and says false. */
  boolean append(Piece piece) {
    lock.lock();
    try {
      while (!closed) {
        if (added(piece)) {
          return true;
        }
        if (whenFull == WhenFull.BLOCK) {
          changed.awaitUninterruptibly();
        } else if (whenFull == WhenFull.DROP_NEWEST || !droppedOldest()) {
          drop(piece, DropReason.NEWEST_WHEN_FULL);
          return false;
        }
      }
      drop(piece, DropReason.CLOSED);
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void drop(Piece piece, DropReason reason) {
    tally.appended += piece.records();
    tally.drop(reason, piece.records());
  }

  private boolean added(Piece piece) {
    long now = System.nanoTime();
    Batch batch = open;
    if (batch != null && mustSeal(batch, piece, now)) {
      seal(batch);
      batch = null;
    }
    if (batch == null) {
      batch = opened(piece, now);
    } else if (!grown(batch, piece.payloadBytes())) {
      return false;
    }
    if (batch == null) {
      return false;
    }
    batch.add(piece);
    tally.appended += piece.records();
    pendingRecords += piece.records();
    return true;
  }

  private boolean mustSeal(Batch batch, Piece piece, long now) {
    return !batch.takes(piece)
        || batch.payloadBytes() + piece.payloadBytes() > batchBytes
        || now - batch.openedNanos() > MAX_OPEN_NANOS;
  }

  private @Nullable Batch opened(Piece piece, long now) {
    int needed = Batch.HEADER_BYTES + topic.length + piece.payloadBytes();
    int capacity = buffers.capacityFor(needed);
    if (!buffers.hasRoom(capacity)) {
      return null;
    }
    Delimiter delimiter = piece.delimiter() == null ? Delimiter.LF : piece.delimiter();
    Batch.Moment moment = new Batch.Moment(clock.millis(), now);
    open = new Batch(++batches, buffers.take(capacity), topic, delimiter, moment);
    wake();
    return open;
  }

  private boolean grown(Batch batch, int moreBytes) {
    if (batch.roomBytes() >= moreBytes) {
      return true;
    }
    int capacity = buffers.capacityFor(batch.sizeBytes() + moreBytes);
    int growth = capacity - batch.bytes().length;
    if (!buffers.hasRoom(growth)) {
      return false;
    }
    buffers.grow(growth);
    batch.grow(capacity);
    return true;
  }

  private void seal(Batch batch) {
    stamper.stamp(batch, batch.openedMillis());
    queued.add(batch);
    open = null;
    wake();
  }

  private void wake() {
    if (senderWaits) {
      senderWaits = false;
      wakeSender.run();
    }
  }

  /** False when nothing is held that is not on the wire. */
  private boolean droppedOldest() {
    Batch oldest = queued.poll();
    if (oldest == null) {
      return false;
    }
    tally.drop(DropReason.OLDEST_WHEN_FULL, oldest.records());
    gone(oldest);
    buffers.release(oldest.bytes());
    return true;
  }

  private void gone(Batch batch) {
    pendingRecords -= batch.records();
    changed.signalAll();
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
    Batch oldest = queued.isEmpty() ? open : queued.peek();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    boolean enough = flushers > 0 || buffers.usedBytes() >= uploadBytes;
    return enough ? 0 : Math.max(0, lingerLeft(oldest));
  }

  /**
   * The next batch to be sent, which then counts as sent on the present connection; null when it is
   * larger than the room, or when the sender has to wait: until it is woken, and no longer than
   * {@link #lingerNanos}.
   */
  @Nullable Batch take(int roomBytes) {
    lock.lock();
    try {
      if (queued.isEmpty() && open != null && isRipe(open)) {
        seal(open);
      }
      Batch first = queued.peek();
      Batch batch = first != null && first.sizeBytes() <= roomBytes ? queued.poll() : null;
      senderWaits = batch == null;
      if (batch != null) {
        sent.add(batch);
        tally.resent += batch.begin() ? batch.records() : 0;
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private boolean isRipe(Batch batch) {
    return sent.isEmpty() || flushers > 0 || lingerLeft(batch) <= 0;
  }

  private long lingerLeft(Batch batch) {
    return batch.openedNanos() + lingerNanos - System.nanoTime();
  }

  /** For how long the open batch may wait, at least 0; {@link Long#MAX_VALUE} when none is open. */
  long lingerNanos() {
    lock.lock();
    try {
      return open == null ? Long.MAX_VALUE : Math.max(0, lingerLeft(open));
    } finally {
      lock.unlock();
    }
  }

  /** Lets go of the batches that lie wholly in the first so many records of this connection. */
  void acknowledge(long recordsOfConnection) {
    lock.lock();
    try {
      Batch batch = sent.peek();
      while (batch != null && acknowledgedHere + batch.records() <= recordsOfConnection) {
        sent.remove();
        acknowledgedHere += batch.records();
        tally.acknowledged += batch.records();
        buffers.release(batch.bytes());
        gone(batch);
        batch = sent.peek();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Counts a connection that was made, on which nothing is sent yet. */
  void connected() {
    lock.lock();
    try {
      tally.connects++;
      acknowledgedHere = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Puts what was sent and not acknowledged before the queue again, in order; says how much. */
  long takeBack() {
    lock.lock();
    try {
      tally.disconnects++;
      long records = 0;
      for (Batch batch = sent.pollLast(); batch != null; batch = sent.pollLast()) {
        records += batch.records();
        queued.addFirst(batch);
      }
      return records;
    } finally {
      lock.unlock();
    }
  }

  /** Counts what came from one call of the sending side and is not a record. */
  void count(long cuts, long blankLines) {
    lock.lock();
    try {
      tally.cuts += cuts;
      tally.blankLines += blankLines;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all that was appended before is acknowledged or dropped. */
  Left flush(Duration timeout) {
    lock.lock();
    try {
      return awaitUpTo(batches, deadline(timeout));
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more, waits as {@link #flush} does, and drops what is left then. */
  Left close(Duration timeout) {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      Left left = awaitUpTo(batches, deadline(timeout));
      abandon();
      return left;
    } finally {
      lock.unlock();
    }
  }

  private static long deadline(Duration timeout) {
    long nanos =
        timeout.compareTo(Duration.ofDays(1)) > 0 ? TimeUnit.DAYS.toNanos(1) : timeout.toNanos();
    return System.nanoTime() + nanos;
  }

  private Left awaitUpTo(long number, long deadlineNanos) {
    flushers++;
    wake();
    boolean interrupted = false;
    long remaining = deadlineNanos - System.nanoTime();
    while (oldest() <= number && remaining > 0) {
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
    return new Left(recordsUpTo(number));
  }

  private long oldest() {
    Batch batch = sent.isEmpty() ? queued.isEmpty() ? open : queued.peek() : sent.peek();
    return batch == null ? Long.MAX_VALUE : batch.number();
  }

  private long recordsUpTo(long number) {
    long records = open != null && open.number() <= number ? open.records() : 0;
    for (ArrayDeque<Batch> some : List.of(queued, sent)) {
      records += some.stream().filter(b -> b.number() <= number).mapToLong(Batch::records).sum();
    }
    return records;
  }

  /** Drops all that is held, and whatever comes. The sender may still be reading a batch of it. */
  void abandon() {
    lock.lock();
    try {
      closed = true;
      if (open != null) {
        queued.add(open);
        open = null;
      }
      sent.forEach(this::abandon);
      queued.forEach(this::abandon);
      sent.clear();
      queued.clear();
      wakeSender.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void abandon(Batch batch) {
    tally.drop(DropReason.CLOSED, batch.records());
    buffers.forget(batch.bytes());
    gone(batch);
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  ForwarderCounters counters() {
    lock.lock();
    try {
      return tally.counters(pendingRecords, buffers.usedBytes());
    } finally {
      lock.unlock();
    }
  }
}

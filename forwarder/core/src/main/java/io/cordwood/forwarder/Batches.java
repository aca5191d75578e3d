package io.cordwood.forwarder;

import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.Stamper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The batches that a forwarder holds, in the order of their records, which is that of their
 * numbers:
 *
 * <pre>
 * begin ──► open ──seal──► queued ──────────────send──► sent ──acknowledge──► gone
 *                            │                        ▲  │
 *                            ▼                        │  │
 *                         moving ─► (spool) ─load─► first ◄── takeBack  (connection lost)
 * </pre>
 *
 * What is queued waits for all that is in the spool or on its way there. Guarded by the lock of
 * {@link RecordQueue}.
 */
final class Batches {
  private final Stamper stamper = new Stamper(NodeClock.MOST_OFF_MILLIS);
  private final NodeClock clock;
  private final ArrayDeque<OutgoingBatch> sent = new ArrayDeque<>();
  private final ArrayDeque<OutgoingBatch> first = new ArrayDeque<>();
  private final ArrayDeque<OutgoingBatch> moving = new ArrayDeque<>();
  private final ArrayDeque<OutgoingBatch> queued = new ArrayDeque<>();
  private final byte[] origin;

  /** Refused ones of batches of earlier forwarders, which stay in the spool. */
  private final Set<RefusedOrigin> left = new HashSet<>();

  private final Runnable news;

  private @Nullable OutgoingBatch open;
  private long begun;
  private long records;
  private long spooledRecords;
  private long leftRecords;
  private long acknowledgedHere;
  private long sentOwnBytes;

  /**
   * @param origin of what is appended record by record
   * @param clock by which they are stamped when they are first sent, or go to the spool
   * @param news is run when there is something that was not there: a batch that has begun, or is
   *     queued for the first time, or comes from the spool
   */
  Batches(byte[] origin, NodeClock clock, Runnable news) {
    this.origin = origin;
    this.clock = clock;
    this.news = news;
  }

  /** The one that takes records, if any. */
  @Nullable OutgoingBatch open() {
    return open;
  }

  /**
   * Opens a batch; none must be open.
   *
   * @param bytes with room for the first records
   */
  void begin(byte[] bytes, Delimiter delimiter, OutgoingBatch.Moment moment) {
    open = new OutgoingBatch(++begun, bytes, origin, delimiter, moment);
    news.run();
  }

  /** A batch must be open, with room for them. */
  void add(RecordSlice slice) {
    Objects.requireNonNull(open).add(slice);
    records += slice.records();
  }

  /** A batch must be open. */
  void seal() {
    queued.add(Objects.requireNonNull(open));
    open = null;
    news.run();
  }

  /** Queues a batch that is made and stamped; none must be open. */
  void queue(PreparedBatch prepared, OutgoingBatch.Moment moment) {
    queued.add(OutgoingBatch.of(prepared, ++begun, moment));
    records += prepared.records();
    news.run();
  }

  /** The oldest that is not sent, queued or open, if any; null while it is in the spool. */
  @Nullable OutgoingBatch oldestUnsent() {
    OutgoingBatch next = firstQueued();
    return next != null ? next : isSpoolAhead() ? null : open;
  }

  /** The next to be sent; null when none is queued, or the spool is to be read before. */
  @Nullable OutgoingBatch firstQueued() {
    return !first.isEmpty() ? first.peek() : isSpoolAhead() ? null : queued.peek();
  }

  /** The origin of that; null when there is none. */
  @Nullable Origin firstOrigin() {
    OutgoingBatch next = firstQueued();
    return next == null ? null : next.origin();
  }

  /** Whether older batches than those in the queue are in the spool, or on their way to it. */
  boolean isSpoolAhead() {
    return spooledRecords > 0 || !moving.isEmpty();
  }

  /** Counts the next to be sent as sent on the present connection; there must be one. */
  OutgoingBatch send() {
    OutgoingBatch batch = first.isEmpty() ? queued.remove() : first.remove();
    stamp(batch);
    sent.add(batch);
    sentOwnBytes += ownBytes(batch);
    return batch;
  }

  /** Once, and anew only what was not sent and would be stamped anew by the node. */
  private void stamp(OutgoingBatch batch) {
    if (!batch.isStamped()) {
      stamp(batch, clock.millis(batch.opened()));
    } else if (!batch.hasBegun() && clock.isFarAhead(batch.latestMillis())) {
      stamp(batch, clock.instant().toEpochMilli());
    }
  }

  private void stamp(OutgoingBatch batch, long millis) {
    stamper.stamp(batch.records(), millis);
    batch.stamp(stamper.high(), stamper.low());
  }

  private static int ownBytes(OutgoingBatch batch) {
    return batch.spooledIn() == null ? batch.bytes().length : 0;
  }

  /** Memory of what is sent and was not in the spool. */
  long sentOwnBytes() {
    return sentOwnBytes;
  }

  /** Drops the oldest that is not sent and not in the spool; null when there is none. */
  @Nullable OutgoingBatch drop() {
    OutgoingBatch batch = null;
    for (Iterator<OutgoingBatch> each = first.iterator(); batch == null && each.hasNext(); ) {
      OutgoingBatch next = each.next();
      if (next.spooledIn() == null) {
        batch = next;
        each.remove();
      }
    }
    batch = batch == null ? queued.poll() : batch;
    records -= batch == null ? 0 : batch.records();
    return batch;
  }

  boolean anySent() {
    return !sent.isEmpty();
  }

  boolean anyQueued() {
    return !queued.isEmpty();
  }

  boolean anyMoving() {
    return !moving.isEmpty();
  }

  /** A new connection, on which nothing is sent yet. */
  void connected() {
    acknowledgedHere = 0;
  }

  /** Takes those away that lie wholly in the first records, up to a number, of this connection. */
  List<OutgoingBatch> acknowledge(long recordsOfConnection) {
    List<OutgoingBatch> gone = new ArrayList<>();
    OutgoingBatch batch = sent.peek();
    while (batch != null && acknowledgedHere + batch.records() <= recordsOfConnection) {
      gone.add(sent.remove());
      acknowledgedHere += batch.records();
      records -= batch.records();
      sentOwnBytes -= ownBytes(batch);
      batch = sent.peek();
    }
    return gone;
  }

  /** Puts what is sent before the queue again; says how many records. */
  long takeBack() {
    long taken = 0;
    for (OutgoingBatch batch = sent.pollLast(); batch != null; batch = sent.pollLast()) {
      taken += batch.records();
      first.addFirst(batch);
    }
    sentOwnBytes = 0;
    return taken;
  }

  /** Takes the batches of an origin away that are not sent and that their makers take back. */
  List<PreparedBatch> giveBack(RefusedOrigin refused) {
    List<PreparedBatch> back = new ArrayList<>();
    for (ArrayDeque<OutgoingBatch> held : List.of(first, queued)) {
      for (Iterator<OutgoingBatch> each = held.iterator(); each.hasNext(); ) {
        PreparedBatch made = each.next().made();
        if (made != null && made.refused() != null && refused.contains(made.origin())) {
          each.remove();
          back.add(made);
          records -= made.records();
        }
      }
    }
    return back;
  }

  /** Takes the first of the queue for the spool; null when none is queued. */
  @Nullable OutgoingBatch move() {
    OutgoingBatch batch = queued.poll();
    if (batch != null) {
      stamp(batch);
      moving.add(batch);
    }
    return batch;
  }

  /**
   * Puts all that is not in the spool into the queue, also what is on the wire: whether that
   * arrives is not waited for any more.
   */
  void queueAll() {
    if (open != null) {
      seal();
    }
    for (OutgoingBatch batch = first.pollLast(); batch != null; batch = first.pollLast()) {
      queued.addFirst(batch);
    }
    for (OutgoingBatch batch = sent.pollLast(); batch != null; batch = sent.pollLast()) {
      queued.addFirst(batch);
      acknowledgedHere += batch.records();
    }
    for (Iterator<OutgoingBatch> each = queued.iterator(); each.hasNext(); ) {
      OutgoingBatch batch = each.next();
      if (batch.spooledIn() != null) {
        each.remove();
        first.add(batch);
      }
    }
    sentOwnBytes = 0;
  }

  /**
   * Ends the way to the spool: the first ones are there, the others are queued as before.
   *
   * @return those that are there; none of those that were drained meanwhile
   */
  List<OutgoingBatch> moved(int count) {
    List<OutgoingBatch> there = new ArrayList<>();
    while (there.size() < count && !moving.isEmpty()) {
      OutgoingBatch batch = moving.remove();
      there.add(batch);
      records -= batch.records();
      spooledRecords += batch.records();
    }
    for (OutgoingBatch batch = moving.pollLast(); batch != null; batch = moving.pollLast()) {
      queued.addFirst(batch);
    }
    news.run();
    return there;
  }

  /**
   * Leaves the batches of an origin in the spool that are there and not sent, unless it is that of
   * what is appended here.
   *
   * @return those that were in memory, too
   */
  List<OutgoingBatch> leave(RefusedOrigin refused) {
    List<OutgoingBatch> gone = new ArrayList<>();
    if (!refused.contains(Origin.decode(origin))) {
      for (Iterator<OutgoingBatch> each = first.iterator(); each.hasNext(); ) {
        OutgoingBatch batch = each.next();
        if (batch.spooledIn() != null && refused.contains(batch.origin())) {
          each.remove();
          gone.add(batch);
          records -= batch.records();
          leftRecords += batch.records();
        }
      }
    }
    if (!gone.isEmpty()) {
      left.add(refused);
      news.run();
    }
    return gone;
  }

  /** Leaves records in the spool that are not in memory. */
  void leave(long unread) {
    leftRecords += unread;
    spooled(-unread);
  }

  /** Takes one from the spool, to be sent; false if it stays there. */
  boolean load(OutgoingBatch batch) {
    spooledRecords -= batch.records();
    if (!left.isEmpty() && RefusedOrigin.isIn(left, batch.origin())) {
      leftRecords += batch.records();
      news.run();
      return false;
    }
    records += batch.records();
    first.add(batch);
    news.run();
    return true;
  }

  /** Counts records as in the spool, or no longer there. */
  void spooled(long moreRecords) {
    spooledRecords += moreRecords;
    news.run();
  }

  /** Records that are in the spool and not in memory. */
  long spooledRecords() {
    return spooledRecords;
  }

  /** Records that are in the spool, and left there to the next forwarder. */
  long leftRecords() {
    return leftRecords;
  }

  /** Takes all of them away; those from the spool are there again. */
  List<OutgoingBatch> drain() {
    List<OutgoingBatch> all = inOrder().toList();
    for (OutgoingBatch batch : all) {
      spooledRecords += batch.spooledIn() == null ? 0 : batch.records();
    }
    sent.clear();
    first.clear();
    moving.clear();
    queued.clear();
    open = null;
    records = 0;
    sentOwnBytes = 0;
    return all;
  }

  private Stream<OutgoingBatch> inOrder() {
    return Stream.of(
            sent.stream(),
            first.stream(),
            moving.stream(),
            queued.stream(),
            Stream.ofNullable(open))
        .flatMap(s -> s);
  }

  /** How many have begun so far, which is the number of the last one. */
  long begun() {
    return begun;
  }

  /**
   * Whether any of the first batches, up to a number, is held; what is in the spool has no number,
   * and counts as among them.
   */
  boolean holdsAnyOf(long number) {
    return isSpoolAhead() || inOrder().anyMatch(b -> b.number() <= number);
  }

  /** How many records are held of the first batches, up to a number, and in the spool. */
  long recordsOf(long number) {
    return spooledRecords
        + inOrder().filter(b -> b.number() <= number).mapToLong(OutgoingBatch::records).sum();
  }

  /** How many records are held in memory. */
  long records() {
    return records;
  }
}

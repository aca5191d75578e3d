package io.cordwood.forwarder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The batches that a forwarder holds, in the order of their records, which is that of their
 * numbers:
 *
 * <pre>
 * begin ──► open ──seal──► queued ──send──► sent ──acknowledge──► gone
 *                            ▲               │
 *                            └── takeBack ───┘   (connection lost)
 * </pre>
 *
 * Guarded by the window's lock.
 */
final class Batches {
  private final Stamper stamper = new Stamper();
  private final ArrayDeque<Batch> sent = new ArrayDeque<>();
  private final ArrayDeque<Batch> queued = new ArrayDeque<>();
  private final byte[] topic;
  private final Runnable news;

  private @Nullable Batch open;
  private long begun;
  private long records;
  private long acknowledgedHere;

  /**
   * @param news is run when a batch has begun, and when one is queued for the first time
   */
  Batches(byte[] topic, Runnable news) {
    this.topic = topic;
    this.news = news;
  }

  /** The one that takes records, if any. */
  @Nullable Batch open() {
    return open;
  }

  /**
   * Opens a batch; none must be open.
   *
   * @param bytes with room for the first records
   */
  void begin(byte[] bytes, Delimiter delimiter, Batch.Moment moment) {
    open = new Batch(++begun, bytes, topic, delimiter, moment);
    news.run();
  }

  /** A batch must be open, with room for them. */
  void add(RecordSlice slice) {
    Objects.requireNonNull(open).add(slice);
    records += slice.records();
  }

  /** A batch must be open; gives it its ULIDs. */
  void seal() {
    Batch batch = Objects.requireNonNull(open);
    stamper.stamp(batch, batch.openedMillis());
    queued.add(batch);
    open = null;
    news.run();
  }

  /** Queues a batch that is made and stamped; none must be open. */
  void queue(PreparedBatch prepared, Batch.Moment moment) {
    queued.add(prepared.numbered(++begun, moment));
    records += prepared.records();
    news.run();
  }

  /** The oldest that is not sent, queued or open, if any. */
  @Nullable Batch oldestUnsent() {
    return queued.isEmpty() ? open : queued.peek();
  }

  /** The next to be sent; null when none is queued. */
  @Nullable Batch firstQueued() {
    return queued.peek();
  }

  /** Counts the first of the queue as sent on the present connection; there must be one. */
  Batch send() {
    Batch batch = queued.remove();
    sent.add(batch);
    return batch;
  }

  /** Drops the first of the queue; null when there is none. */
  @Nullable Batch drop() {
    Batch batch = queued.poll();
    records -= batch == null ? 0 : batch.records();
    return batch;
  }

  boolean anySent() {
    return !sent.isEmpty();
  }

  /** A new connection, on which nothing is sent yet. */
  void connected() {
    acknowledgedHere = 0;
  }

  /** Takes those away that lie wholly in the first records, up to a number, of this connection. */
  List<Batch> acknowledge(long recordsOfConnection) {
    List<Batch> gone = new ArrayList<>();
    Batch batch = sent.peek();
    while (batch != null && acknowledgedHere + batch.records() <= recordsOfConnection) {
      gone.add(sent.remove());
      acknowledgedHere += batch.records();
      records -= batch.records();
      batch = sent.peek();
    }
    return gone;
  }

  /** Puts what is sent before the queue again; says how many records. */
  long takeBack() {
    long taken = 0;
    for (Batch batch = sent.pollLast(); batch != null; batch = sent.pollLast()) {
      taken += batch.records();
      queued.addFirst(batch);
    }
    return taken;
  }

  /** Takes all of them away. */
  List<Batch> drain() {
    List<Batch> all = inOrder().toList();
    sent.clear();
    queued.clear();
    open = null;
    records = 0;
    return all;
  }

  private Stream<Batch> inOrder() {
    return Stream.of(sent.stream(), queued.stream(), Stream.ofNullable(open)).flatMap(s -> s);
  }

  /** How many have begun so far, which is the number of the last one. */
  long begun() {
    return begun;
  }

  /** Whether any of the first batches, up to a number, is held. */
  boolean holdsAnyOf(long number) {
    Batch oldest = sent.isEmpty() ? oldestUnsent() : sent.peek();
    return oldest != null && oldest.number() <= number;
  }

  /** How many records are held of the first batches, up to a number. */
  long recordsOf(long number) {
    return inOrder().filter(b -> b.number() <= number).mapToLong(Batch::records).sum();
  }

  /** How many records are held. */
  long records() {
    return records;
  }
}

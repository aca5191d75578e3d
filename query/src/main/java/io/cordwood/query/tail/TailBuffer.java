package io.cordwood.query.tail;

import io.cordwood.common.run.ChangeSignal;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The batches found for one stream that its reader has not got yet. Each waits for the window, so
 * that those which belong before it can overtake it, and is given once. Bounded: what does not fit
 * is dropped, and counted; whoever puts something never waits. One lock guards all of it.
 */
final class TailBuffer implements AutoCloseable {
  private static final int MAX_NOTICES = 100;

  private final BiPredicate<Topic, Labels> wanted;
  private final long windowNanos;
  private final TailMemory memory;
  private final LongSupplier nanoTime;
  private final ChangeSignal changes = new ChangeSignal();
  private final ArrayDeque<Waiting> byArrival = new ArrayDeque<>();
  private final PriorityQueue<Waiting> byId =
      new PriorityQueue<>(Comparator.comparing(one -> one.id));
  private final Map<BatchId, Waiting> waiting = new HashMap<>();
  private final RecentBatches given = new RecentBatches();
  private final ArrayDeque<String> notices = new ArrayDeque<>();
  private long heldBytes;
  private long dropped;
  private boolean closed;

  /**
   * @param wanted batches of other topics and labels are passed over
   */
  TailBuffer(Duration window, TailMemory memory, BiPredicate<Topic, Labels> wanted) {
    this(window, memory, wanted, System::nanoTime);
  }

  /** With a clock of the test's choice. */
  TailBuffer(
      Duration window,
      TailMemory memory,
      BiPredicate<Topic, Labels> wanted,
      LongSupplier nanoTime) {
    this.wanted = wanted;
    this.windowNanos = window.toNanos();
    this.memory = memory;
    this.nanoTime = nanoTime;
  }

  /** The hits of a batch, since when they wait. */
  static final class Waiting {
    final BlockHits hits;
    final BlockHits.Group group;
    private final BatchId id;
    private final long bytes;
    private final long sinceNanos;
    private boolean taken;

    private Waiting(BlockHits batch, long nowNanos) {
      this.sinceNanos = nowNanos;
      this.hits = batch;
      this.group = batch.groups().getFirst();
      this.id = hits.id(group);
      this.bytes = batch.heldBytes();
    }
  }

  /** The output that is due; a batch holds its memory until it was {@link #written}. */
  record Due(List<Waiting> batches, List<String> notices, long dropped) {
    boolean isEmpty() {
      return batches.isEmpty() && notices.isEmpty() && dropped == 0;
    }
  }

  /** Whether the records of a batch are of those that the stream is for. */
  boolean wants(BlockHits hits, BlockHits.Group group) {
    return wanted.test(hits.topic(), group.labels());
  }

  void put(BlockHits hits, BlockHits.Group group) {
    if (wants(hits, group)) {
      put(new Waiting(hits.only(group), nanoTime.getAsLong()));
    }
  }

  private synchronized void put(Waiting next) {
    if (closed || given.contains(next.id)) {
      return;
    }
    if (memory.take(heldBytes, next.bytes)) {
      add(next);
    } else {
      memory.dropped(next.group.size());
      dropped += next.group.size();
    }
  }

  private void add(Waiting next) {
    boolean _ = given.add(next.id);
    byArrival.add(next);
    byId.add(next);
    waiting.put(next.id, next);
    heldBytes += next.bytes;
    changes.add();
  }

  /** The first batch, in order, that waits. */
  synchronized Optional<BatchId> first() {
    return Optional.ofNullable(byId.peek()).map(first -> first.id);
  }

  /**
   * Whether a batch that did not come through here was not given yet. From now on it is: if it
   * waits here as well, it does no more.
   */
  synchronized boolean take(BatchId id) {
    Waiting same = waiting.remove(id);
    if (same != null) {
      byId.remove(same);
      same.taken = true;
      release(same);
    }
    return given.add(id) || same != null;
  }

  /** Tells the reader something. */
  synchronized void tell(String notice) {
    if (notices.size() < MAX_NOTICES) {
      notices.add(notice);
      changes.add();
    }
  }

  /** Waits until something is due, but not for long. */
  Due await(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (true) {
      long seen = changes.count();
      Due due = due();
      long left = end - System.nanoTime();
      if (!due.isEmpty() || left <= 0 || changes.isEnded()) {
        return due;
      }
      changes.await(seen, Duration.ofNanos(Math.min(left, untilDue())));
    }
  }

  /** Nobody has to wait any more. */
  void end() {
    changes.end();
  }

  private synchronized long untilDue() {
    Waiting first = byArrival.peek();
    return first == null
        ? TimeUnit.DAYS.toNanos(1)
        : Math.max(1, first.sinceNanos + windowNanos - nanoTime.getAsLong());
  }

  private synchronized Due due() {
    List<Waiting> batches = new ArrayList<>();
    BatchId last = lastDue();
    while (last != null && !byId.isEmpty() && byId.element().id.compareTo(last) <= 0) {
      Waiting next = byId.remove();
      next.taken = true;
      waiting.remove(next.id);
      batches.add(next);
    }
    var due = new Due(batches, List.copyOf(notices), dropped);
    notices.clear();
    dropped = 0;
    return due;
  }

  /** The last one, in order, of those that have waited long enough. */
  private @Nullable BatchId lastDue() {
    long now = nanoTime.getAsLong();
    BatchId last = null;
    while (!byArrival.isEmpty()
        && (byArrival.element().taken || now - byArrival.element().sinceNanos >= windowNanos)) {
      Waiting next = byArrival.remove();
      if (!next.taken && (last == null || next.id.compareTo(last) > 0)) {
        last = next.id;
      }
    }
    return last;
  }

  /** A batch that was due is on its way to the reader. */
  synchronized void written(Waiting batch) {
    release(batch);
  }

  private void release(Waiting one) {
    heldBytes -= one.bytes;
    memory.release(one.bytes);
  }

  /** Lets go of everything; what is put from now on is not kept. */
  @Override
  public synchronized void close() {
    closed = true;
    memory.release(heldBytes);
    heldBytes = 0;
    byId.clear();
    waiting.clear();
    byArrival.clear();
  }
}

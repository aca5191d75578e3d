package io.cordwood.query.gather;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's answer to a query that is not merged yet, in order: at most its part of {@link
 * MergeMemory} and one batch's records more, beyond which the node that answers is slowed down. A
 * large frame takes of {@link FrameMemory} before it is read. Filled by one thread, emptied by the
 * query's own; guarded by the lock that all partial results of the query share.
 */
final class PartialResult {
  private static final int MAX_HELD_GROUPS = 1024;

  /** How often to look whether other queries have given back memory. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ResultMerger merger;
  private final Condition room;
  private final Holder holder;
  private final boolean replicated;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private long heldBytes;
  private Ulid passed = Ulid.MIN;

  /** The batch of the large frame that comes next. Until that is checked, nothing is known. */
  private Ulid announced = Ulid.MIN;

  private long reserved;
  private State state = State.ASKED;
  private Optional<Instant> stampTime = Optional.empty();
  private Optional<Lack> lack = Optional.empty();
  private final List<Evicted> evicted = new ArrayList<>();
  private EvictedPart searched = EvictedPart.UNKNOWN;
  private long openedNanos = System.nanoTime();
  private Optional<Ulid> unheard = Optional.empty();
  private Optional<ColdPlan> plan = Optional.empty();
  private Supplier<SearchProgress> progress = () -> SearchProgress.NONE;
  private long heardNanos = System.nanoTime();
  private boolean unwanted;

  /** Whose answer this is. */
  record Holder(String nodeId, Tier tier) {}

  /** The matching records of one batch. */
  record Entry(Holder from, BatchId id, BlockHits hits, BlockHits.Group group, long frameBytes) {}

  private enum State {
    ASKED,
    SEARCHING,
    ENDED,
    FAILED
  }

  PartialResult(ResultMerger merger, Holder holder, boolean replicated) {
    this.replicated = replicated;
    this.merger = merger;
    this.room = merger.newCondition();
    this.holder = holder;
  }

  Holder holder() {
    return holder;
  }

  /** The node knows what it searches: what is not there has moved on. */
  void opened(Optional<Instant> time) {
    heard();
    unlessOver(() -> {
      if (state == State.ASKED) {
        stampTime = time;
        openedNanos = System.nanoTime();
        state = State.SEARCHING;
      }
    });
  }

  /** It is left out, unless it was opened by now; whether it was left out. */
  boolean leaveOutUnlessOpened(String reason) {
    return merger.read(() -> {
      if (state == State.ASKED) {
        failed(reason, rest());
        refuseMore();
        return true;
      }
      return false;
    });
  }

  /**
   * Says where to ask how far the node has come.
   *
   * @param source asked by the query's own thread
   */
  void advances(Supplier<SearchProgress> source) {
    merger.locked(() -> progress = source);
  }

  /**
   * Waits for memory for a frame of records; false if nobody wants more, or it is over.
   *
   * @param first ULID of the batch of the frame
   * @param bytes of the frame; its records take as many again while they are decoded
   */
  boolean reserve(Ulid first, int bytes) {
    long wanted = 2L * bytes;
    boolean waits = false;
    merger.lock();
    try {
      noteHeard();
      announced = first;
      while (isTaken() && !merger.frames().take(wanted)) {
        if (isNext(merger.least())) {
          merger.frames().takeAnyway(wanted);
          break;
        }
        if (!waits) {
          waits = true;
          merger.frames().waits();
          merger.starves(1);
        }
        long _ = room.awaitNanos(LOOK_NANOS);
      }
      reserved = isTaken() ? wanted : 0;
      return isTaken();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      merger.starves(waits ? -1 : 0);
      merger.unlock();
    }
  }

  /** Waits for room; false if nobody wants more, or it is over. */
  boolean put(BlockHits hits, BlockHits.Group group) {
    merger.lock();
    try {
      while (isFull() && isTaken()) {
        room.awaitUninterruptibly();
      }
      if (isTaken()) {
        boolean first = waiting.isEmpty();
        long kept = reserved / 2;
        merger.frames().release(reserved - kept);
        reserved = 0;
        var entry = new Entry(holder, hits.id(group), hits, group, kept);
        waiting.add(entry);
        heldBytes += hits.heldBytes(group);
        passed = entry.id.first();
        noteHeard();
        if (first) {
          merger.arrived();
        }
      }
      return isTaken();
    } finally {
      merger.unlock();
    }
  }

  private boolean isTaken() {
    return !unwanted && !isOver();
  }

  private boolean isFull() {
    return heldBytes >= merger.memory().each() || waiting.size() >= MAX_HELD_GROUPS;
  }

  /** Nothing that comes is before this. */
  void passed(Ulid ulid) {
    heard();
    unlessOver(() -> passed = ulid);
  }

  private void heard() {
    merger.locked(this::noteHeard);
  }

  private void noteHeard() {
    heardNanos = System.nanoTime();
    merger.heard(holder);
  }

  /** Records are not there; the others come. */
  void lacks(Lack more) {
    unlessOver(() -> note(more));
  }

  /** There is no more. */
  void end() {
    unlessOver(() -> state = State.ENDED);
  }

  /** There may be more, but it will not come. */
  void fail(String reason) {
    unlessOver(() -> failed(reason, rest()));
  }

  /** All came that the node searched, but it did not search all. */
  void endStopped(Stop stop) {
    unlessOver(() -> failed(stop.limit().text(), stop.unsearched()));
  }

  /** The node let go of records that are in a bucket. */
  void evicted(List<Evicted> gone) {
    merger.locked(() -> evicted.addAll(gone));
  }

  /** The bucket that is searched, if this is the answer of one. */
  void searches(EvictedPart bucket) {
    merger.locked(() -> searched = bucket);
  }

  /** Notes how much the answer would take of a bucket. */
  void plans(ColdPlan reading) {
    merger.locked(() -> plan = Optional.of(reading));
  }

  /** Time is up: what came is given, more is not taken. */
  void endAtDeadline() {
    unlessOver(() -> {
      failed(Stop.Limit.TIME.text(), rest());
      refuseMore();
    });
  }

  /**
   * The one way to change how far it has come. What comes after the end comes too late: the stores
   * may have been asked by then as if it had said nothing.
   */
  private void unlessOver(Runnable change) {
    merger.locked(() -> {
      if (!isOver()) {
        change.run();
      }
    });
  }

  private UlidRange rest() {
    return new UlidRange(passed, Ulid.MAX);
  }

  private void failed(String reason, UlidRange range) {
    state = State.FAILED;
    note(new Lack(range, reason));
    room.signalAll();
  }

  /** With the reason that came last, which says more. */
  private void note(Lack more) {
    lack =
        Optional.of(
            lack.map(old -> new Lack(old.range().union(more.range()), more.reason())).orElse(more));
  }

  /** From now on nobody wants more. */
  void stop() {
    merger.locked(this::refuseMore);
  }

  private void refuseMore() {
    unwanted = true;
    room.signalAll();
  }

  boolean isUnwanted() {
    return merger.read(() -> unwanted);
  }

  // What follows is for the query's own thread, which holds the lock.

  @Nullable Entry peek() {
    return waiting.peek();
  }

  Entry take() {
    Entry entry = waiting.remove();
    heldBytes -= entry.hits.heldBytes(entry.group);
    merger.frames().release(entry.frameBytes);
    if (!isFull()) { // How much may be held changes meanwhile, so nobody knows whether it was.
      room.signal();
    }
    return entry;
  }

  /** Whether something before this, or equal to it, may still come, beyond what is waiting. */
  boolean mayComeBefore(BatchId id) {
    return !isOver() && !position().isAfter(id.first());
  }

  /** Nothing that comes is before this, unless what comes next is damaged. */
  private Ulid position() {
    return announced.isAfter(passed) ? announced : passed;
  }

  /** Whether the others wait for what it brings next. */
  private boolean isNext(Ulid least) {
    return waiting.isEmpty() && !announced.isAfter(least);
  }

  /** The batch that it can be asked for next, or one before that; the last of all if it is over. */
  Ulid next() {
    Entry head = peek();
    if (head != null) {
      return head.id.first();
    }
    return isOver() ? Ulid.MAX : position();
  }

  /** Wakes it if it waits for memory, and the others for it. */
  void wakeIfNext(Ulid least) {
    if (isNext(least)) {
      room.signal();
    }
  }

  /** Gives back the memory of frames that nobody takes any more. */
  void releaseFrames() {
    merger.frames().release(reserved + waiting.stream().mapToLong(Entry::frameBytes).sum());
  }

  /** Nothing that it brings up to this is taken any more. */
  void doneWithout(Ulid until) {
    unheard = Optional.of(until);
  }

  /** Up to where it was done without; empty if it never was. */
  Optional<Ulid> unheard() {
    return unheard;
  }

  /** Whether what it may bring is on as many stores as it should be. */
  boolean isReplicated() {
    return replicated;
  }

  /** When it last came on. */
  long heardNanos() {
    return heardNanos;
  }

  boolean isOpened() {
    return state != State.ASKED;
  }

  boolean isOver() {
    return state == State.ENDED || state == State.FAILED;
  }

  Optional<Instant> stampTime() {
    return stampTime;
  }

  /** How far it has come, if that is known. */
  SearchProgress progress() {
    return state == State.FAILED ? progress.get().ended() : progress.get();
  }

  /** The records that may be in a bucket alone, as the node says. */
  List<Evicted> evicted() {
    return evicted;
  }

  /** The bucket that is searched, if this is the answer of one. */
  EvictedPart searched() {
    return searched;
  }

  /** By {@link System#nanoTime}, when it was known what it searches. */
  long openedNanos() {
    return openedNanos;
  }

  /** How much the answer would take of a bucket, if that was asked. */
  Optional<ColdPlan> plan() {
    return plan;
  }

  /** Why it does not bring all that it should; empty if it does, as far as is known. */
  Optional<Lack> lack() {
    return lack;
  }
}

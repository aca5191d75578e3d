package io.cordwood.query.gather;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
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
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's answer to a query that is not merged yet, in order: at most its part of {@link
 * MergeMemory} and one batch's records more, beyond which the node that answers is slowed down.
 * Filled by one thread, emptied by the query's own; guarded by the lock that all partial results of
 * the query share.
 */
final class PartialResult {
  private static final int MAX_HELD_GROUPS = 1024;

  private final ResultMerger merger;
  private final Condition room;
  private final Holder holder;
  private final boolean replicated;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private long heldBytes;
  private Ulid passed = Ulid.MIN;
  private State state = State.ASKED;
  private Optional<Instant> stampTime = Optional.empty();
  private Optional<Failure> failure = Optional.empty();
  private final List<Evicted> evicted = new ArrayList<>();
  private Optional<BucketPlace> place = Optional.empty();
  private Optional<Ulid> unheard = Optional.empty();
  private Optional<ColdPlan> plan = Optional.empty();
  private Supplier<SearchProgress> progress = () -> SearchProgress.NONE;
  private long heardNanos = System.nanoTime();
  private boolean unwanted;

  /** Whose answer this is. */
  record Holder(String nodeId, Tier tier) {}

  /** The matching records of one batch. */
  record Entry(Holder from, BatchId id, BlockHits hits, BlockHits.Group group) {}

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

  /** Waits for room; false if nobody wants more, or it is over. */
  boolean put(BlockHits hits, BlockHits.Group group) {
    var entry = new Entry(holder, hits.id(group), hits, group);
    merger.lock();
    try {
      while (isFull() && isTaken()) {
        room.awaitUninterruptibly();
      }
      if (isTaken()) {
        boolean first = waiting.isEmpty();
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
  void lacks(SegmentSource.Lack lack) {
    unlessOver(() -> note(new Failure(lack.reason(), lack.range())));
  }

  /** There is no more. */
  void end() {
    unlessOver(() -> state = State.ENDED);
  }

  /** There may be more, but it will not come. */
  void fail(String reason) {
    unlessOver(() -> failed(reason, rest()));
  }

  /** Anything may not be there; the rest comes. */
  void damaged(String reason) {
    lacks(new SegmentSource.Lack(UlidRange.ALL, reason));
  }

  /** All came that the node searched, but it did not search all. */
  void endStopped(Stop stop) {
    unlessOver(() -> failed(stop.limit().text(), stop.unsearched()));
  }

  /** The node let go of records that are in a bucket. */
  void evicted(List<Evicted> gone) {
    merger.locked(() -> evicted.addAll(gone));
  }

  /** The bucket that is searched. */
  void searches(Optional<BucketPlace> bucket) {
    merger.locked(() -> place = bucket);
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
    note(new Failure(reason, range));
    room.signalAll();
  }

  private void note(Failure next) {
    failure = Optional.of(failure.map(next::after).orElse(next));
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
    if (!isFull()) { // How much may be held changes meanwhile, so nobody knows whether it was.
      room.signal();
    }
    return entry;
  }

  /** Whether something before this, or equal to it, may still come, beyond what is waiting. */
  boolean mayComeBefore(BatchId id) {
    return !isOver() && !passed.isAfter(id.first());
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

  /** The bucket that is searched; empty if none is, or it is not known yet. */
  Optional<BucketPlace> place() {
    return place;
  }

  /** How much the answer would take of a bucket, if that was asked. */
  Optional<ColdPlan> plan() {
    return plan;
  }

  /** Why it does not bring all that it should; empty if it does, as far as is known. */
  Optional<Failure> failure() {
    return failure;
  }

  /**
   * How a partial result falls short, before its end or at it.
   *
   * @param range nothing else is missing
   */
  record Failure(String reason, UlidRange range) {
    /** This one, which came last, and what was missing before. */
    private Failure after(Failure before) {
      return new Failure(reason, range.union(before.range));
    }
  }
}

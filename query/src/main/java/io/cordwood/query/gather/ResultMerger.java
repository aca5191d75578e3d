package io.cordwood.query.gather;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.QueryAbandonedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The partial results of one query, merged in the order of {@link BatchId}, each batch once. What
 * is ready is given on as soon as no partial result can bring anything before it that the others do
 * not have: each record is on several stores, so some of these, silent ones, need not be waited
 * for, and by the next queries not at all as long as they stay so ({@link UnreachableStores}). What
 * they bring later, and others brought before, is dropped.
 *
 * <p>All is guarded by one lock. {@link #await} and {@link #run} are for the query's own thread.
 */
final class ResultMerger {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A store that says nothing for so long, and for this part of the query's time, is silent. */
  private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final int SILENCE_PART = 5;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<PartialResult> partials = new ArrayList<>();
  private final BooleanSupplier abandoned;
  private final boolean withCopies;
  private final IntSupplier spareStores;
  private final CopyCount copies;
  private final MergeState shared;
  private final long beganNanos = System.nanoTime();
  private @Nullable BatchId lastGiven;
  private boolean spared;
  private int starving;

  /** Why merging ended. */
  enum Outcome {
    /** The one who asked left, or something broke. */
    BROKEN_OFF,
    ALL,
    ENOUGH,
    TIME_UP
  }

  /**
   * @param abandoned asked while waiting: whether nobody wants the answer any more
   * @param withCopies whether what has the same id is given as often as it comes
   * @param spareStores number of stores whose records all the others together hold, as far as those
   *     know that have answered; asked again and again
   * @param copies is told of each batch that is given, whenever it comes
   * @param shared by all queries of this node
   */
  ResultMerger(
      BooleanSupplier abandoned,
      boolean withCopies,
      IntSupplier spareStores,
      CopyCount copies,
      MergeState shared) {
    this.abandoned = abandoned;
    this.withCopies = withCopies;
    this.spareStores = spareStores;
    this.copies = copies;
    this.shared = shared;
  }

  /**
   * Adds one.
   *
   * @param replicated whether what it may bring is on as many stores as it should be
   */
  PartialResult add(PartialResult.Holder holder, boolean replicated) {
    var partial = new PartialResult(this, holder, replicated);
    shared.memory().opened();
    locked(() -> partials.add(partial));
    return partial;
  }

  List<PartialResult> all() {
    return partials;
  }

  /**
   * Waits until every partial result is opened or over.
   *
   * @throws QueryAbandonedException if nobody wants the answer any more
   */
  void awaitOpened(long deadlineNanos) throws IOException {
    await(
        () -> partials.stream().allMatch(PartialResult::isOpened),
        deadlineNanos,
        (hits, group) -> true);
  }

  /**
   * Gives every batch's records once, in order, until there are no more, or the sink wants no more,
   * or time is up. What came until then is given even so: only what a partial result had still to
   * bring is missing, and that partial result has failed.
   *
   * @return why it ended
   */
  Outcome run(HitSink sink, long deadlineNanos) throws IOException {
    Outcome atEnd = Outcome.ALL;
    boolean wanted = true;
    while (wanted) {
      PartialResult.Entry next = takeReady();
      if (next == null) {
        sink.idle();
        var first = new FirstReady();
        if (await(first::isTakenOrOver, deadlineNanos, sink)) {
          next = first.taken;
        } else {
          atEnd = Outcome.TIME_UP;
          partials.forEach(PartialResult::endAtDeadline);
          next = takeReady();
        }
        if (next == null) {
          return atEnd;
        }
      }
      if (lastGiven == null || next.id().compareTo(lastGiven) >= 0) {
        copies.seen(next.id(), next.from());
        if (withCopies || !next.id().equals(lastGiven)) {
          wanted = sink.accept(next.hits(), next.group());
          lastGiven = next.id();
        }
      }
    }
    return Outcome.ENOUGH;
  }

  /** The last batch that was given; null if there was none. */
  @Nullable BatchId lastGiven() {
    return lastGiven;
  }

  private PartialResult.@Nullable Entry takeReady() {
    lock.lock();
    try {
      return firstReady();
    } finally {
      lock.unlock();
    }
  }

  private PartialResult.@Nullable Entry firstReady() {
    PartialResult ready = ready();
    PartialResult.Entry taken = ready == null ? null : ready.take();
    wakeNext();
    return taken;
  }

  /**
   * Taken by the same look that finds it ready: which stores can be done without changes with time,
   * so a second look may find nothing ready, and that must not be read as the end.
   */
  private final class FirstReady {
    private PartialResult.@Nullable Entry taken;

    boolean isTakenOrOver() {
      taken = firstReady();
      return taken != null || isOver();
    }
  }

  /** The partial result whose first batch nothing can come before. */
  private @Nullable PartialResult ready() {
    PartialResult best = null;
    BatchId least = null;
    for (PartialResult partial : partials) {
      PartialResult.Entry head = partial.peek();
      if (head != null && (least == null || head.id().compareTo(least) < 0)) {
        least = head.id();
        best = partial;
      }
    }
    BatchId first = least;
    if (first == null) {
      return null;
    }
    Predicate<PartialResult> outstanding = s -> s.peek() == null && s.mayComeBefore(first);
    if (!canDoWithout(outstanding, withCopies)) {
      return null;
    }
    partials.stream().filter(outstanding).forEach(s -> s.doneWithout(first.first()));
    return best;
  }

  private boolean isOver() {
    Predicate<PartialResult> outstanding = s -> !s.isOver();
    boolean over =
        partials.stream().allMatch(s -> s.peek() == null) && canDoWithout(outstanding, false);
    if (over) {
      partials.stream().filter(outstanding).forEach(s -> s.doneWithout(Ulid.MAX));
    }
    return over;
  }

  /**
   * Whether what some partial results may still bring is not needed.
   *
   * @param copiesToo whether each copy is, as long as more of them may come
   */
  private boolean canDoWithout(Predicate<PartialResult> outstanding, boolean copiesToo) {
    long now = System.nanoTime();
    int lacking = 0;
    boolean can = true;
    boolean waits = false;
    for (PartialResult partial : partials) {
      boolean isOutstanding = outstanding.test(partial);
      if (isOutstanding || partial.lack().isPresent()) {
        lacking++;
        can &= partial.isReplicated();
      }
      waits |= isOutstanding;
      can &= !copiesToo || isOutstanding || partial.isOver();
      can &= !isOutstanding || silenceLeft(partial, now) <= 0;
    }
    if (!waits) {
      return true;
    }
    can &= lacking <= spareStores.getAsInt();
    if (can) {
      spared = true;
      partials.stream().filter(outstanding).forEach(this::noteSilence);
    }
    return can;
  }

  private void noteSilence(PartialResult partial) {
    shared.silent().add(partial.holder().nodeId());
  }

  /** A node that answers has said something. */
  void heard(PartialResult.Holder from) {
    shared.silent().heard(from.nodeId());
  }

  /** How long it must go on to say nothing, in order to count as silent. */
  private long silenceLeft(PartialResult partial, long now) {
    if (shared.silent().has(partial.holder().nodeId())) {
      return 0;
    }
    long least = Math.max(SILENCE_NANOS, (now - beganNanos) / SILENCE_PART);
    return least - (now - partial.heardNanos());
  }

  /** When to look whether somebody is silent, or the one who asks is gone. */
  private long nextLookNanos() {
    long now = System.nanoTime();
    long next = POLL_NANOS;
    if (spareStores.getAsInt() > 0) {
      for (PartialResult partial : partials) {
        long left = partial.isOver() ? 0 : silenceLeft(partial, now);
        next = left > 0 ? Math.min(next, left) : next;
      }
    }
    return next;
  }

  /** Whether some store was not waited for; its copies of what was given were not seen then. */
  boolean spared() {
    return spared;
  }

  /**
   * Waits for a condition that is read under the lock; false if it did not come to hold.
   *
   * @param sink is told again and again meanwhile, without the lock
   */
  private boolean await(BooleanSupplier condition, long deadlineNanos, HitSink sink)
      throws IOException {
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (abandoned.getAsBoolean()) {
          throw new QueryAbandonedException();
        }
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        long _ = changed.awaitNanos(Math.min(left, nextLookNanos()));
        tellIdle(sink);
      }
      return true;
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    } finally {
      lock.unlock();
    }
  }

  /** It may wait for a client, and the nodes that answer must not wait for that. */
  private void tellIdle(HitSink sink) throws IOException {
    lock.unlock();
    try {
      sink.idle();
    } finally {
      lock.lock();
    }
  }

  MergeMemory memory() {
    return shared.memory();
  }

  FrameMemory frames() {
    return shared.frames();
  }

  /** Notes how many partial results more wait for memory. */
  void starves(int more) {
    starving += more;
  }

  /** Lets the one go on that the others wait for, whether there is memory for it or not. */
  private void wakeNext() {
    if (starving > 0) {
      Ulid least = least();
      partials.forEach(it -> it.wakeIfNext(least));
    }
  }

  /** Nothing comes before this. */
  Ulid least() {
    return partials.stream().map(PartialResult::next).min(Comparator.naturalOrder()).orElseThrow();
  }

  /** Nothing is held any more; to be called once. */
  void release() {
    locked(() -> partials.forEach(PartialResult::releaseFrames));
    shared.memory().closed(partials.size());
  }

  Condition newCondition() {
    return lock.newCondition();
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  void arrived() {
    changed.signal();
  }

  /** Changes something that the query's own thread may wait for. */
  void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signal();
      wakeNext();
    } finally {
      lock.unlock();
    }
  }

  boolean read(BooleanSupplier state) {
    lock.lock();
    try {
      return state.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }
}

package io.cordwood.query.gather;

import io.cordwood.query.BatchId;
import io.cordwood.query.HitSink;
import io.cordwood.query.QueryAbandonedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The strands of one query, merged in the order of {@link BatchId}, each batch once. What is ready
 * is given on as soon as no strand can bring anything before it.
 *
 * <p>All is guarded by one lock. {@link #await} and {@link #run} are for the query's own thread.
 */
final class Strands {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Strand> strands = new ArrayList<>();
  private final BooleanSupplier abandoned;
  private final boolean withCopies;
  private final CopyCount copies;
  private @Nullable BatchId lastGiven;

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
   * @param copies is told of each batch, whenever it comes
   */
  Strands(BooleanSupplier abandoned, boolean withCopies, CopyCount copies) {
    this.abandoned = abandoned;
    this.withCopies = withCopies;
    this.copies = copies;
  }

  Strand add(Strand.Holder holder) {
    var strand = new Strand(this, holder);
    locked(() -> strands.add(strand));
    return strand;
  }

  List<Strand> all() {
    return strands;
  }

  /**
   * Waits until every strand is opened or over.
   *
   * @throws QueryAbandonedException if nobody wants the answer any more
   */
  void awaitOpened(long deadlineNanos) throws IOException {
    await(() -> strands.stream().allMatch(Strand::isOpened), deadlineNanos, (hits, group) -> true);
  }

  /**
   * Gives every batch's records once, in order, until there are no more, or the sink wants no more,
   * or time is up. What came until then is given even so: only what a strand had still to bring is
   * missing, and that strand has failed.
   *
   * @return why it ended
   */
  Outcome run(HitSink sink, long deadlineNanos) throws IOException {
    Outcome atEnd = Outcome.ALL;
    boolean wanted = true;
    while (wanted) {
      Strand.Entry next = takeReady();
      if (next == null) {
        sink.idle();
        if (!await(() -> isOver() || ready() != null, deadlineNanos, sink)) {
          atEnd = Outcome.TIME_UP;
          strands.forEach(Strand::endAtDeadline);
        }
        next = takeReady();
        if (next == null) {
          return atEnd;
        }
      }
      copies.seen(next.id(), next.from());
      if (withCopies || !next.id().equals(lastGiven)) {
        wanted = sink.accept(next.hits(), next.group());
        lastGiven = next.id();
      }
    }
    return Outcome.ENOUGH;
  }

  /** The last batch that was given; null if there was none. */
  @Nullable BatchId lastGiven() {
    return lastGiven;
  }

  private Strand.@Nullable Entry takeReady() {
    lock.lock();
    try {
      Strand ready = ready();
      return ready == null ? null : ready.take();
    } finally {
      lock.unlock();
    }
  }

  /** The strand whose first batch nothing can come before. */
  private @Nullable Strand ready() {
    Strand best = null;
    BatchId least = null;
    for (Strand strand : strands) {
      Strand.Entry head = strand.peek();
      if (head != null && (least == null || head.id().compareTo(least) < 0)) {
        least = head.id();
        best = strand;
      }
    }
    if (least == null) {
      return null;
    }
    for (Strand strand : strands) {
      if (strand.peek() == null && strand.mayComeBefore(least)) {
        return null;
      }
    }
    return best;
  }

  private boolean isOver() {
    return strands.stream().allMatch(s -> s.isOver() && s.peek() == null);
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
        long _ = changed.awaitNanos(Math.min(left, POLL_NANOS));
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

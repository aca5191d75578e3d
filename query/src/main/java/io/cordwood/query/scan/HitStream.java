package io.cordwood.query.scan;

import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The hits of a query's blocks, in the order of the blocks, scanned ahead in parallel: a few
 * portions of neighbouring blocks a thread. All queries together stay within the pool's budget with
 * what is scanned and not taken yet; beyond it a query has one block at a time. Once nobody wants
 * the answer no block is begun any more. For the query's own thread.
 */
final class HitStream {
  /** Raw bytes of the first portions: what costs a thread more than to be handed it. */
  private static final int MIN_PORTION_BYTES = 512 << 10;

  /**
   * The bytes of later portions, after the first hits are out. Each wakes the query's thread, which
   * takes a processor from those that scan: all blocks are searched in 5 to 20 % less time so.
   */
  private static final int MAX_PORTION_BYTES = 4 << 20;

  /** A portion is at most so small a part of all before it. */
  private static final int PART_OF_THOSE_BEFORE = 8;

  /**
   * So few blocks are searched sooner than another thread is woken and has woken this one again.
   */
  private static final int FEW_BLOCKS = 4;

  private static final int AHEAD_PER_THREAD = 4;

  /** Blocks that segments are told of before they are read: what comes from afar is begun then. */
  private static final int SOON_BLOCKS = 128;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final List<BlockRef> blocks;
  private final ScanPool pool;
  private final FairScheduler.Lane lane;
  private final ScanPool.Scan scan;
  private final Waiting waiting;
  private final ArrayDeque<Portion> ahead = new ArrayDeque<>();
  private Iterator<BlockHits> portion = Collections.emptyIterator();
  private long portionBytes;
  private int announced;
  private int submitted;
  private long submittedBytes;
  private int taken;
  private boolean timeUp;
  private volatile boolean stopped;

  /** The checks and work while hits are waited for. */
  record Waiting(QueryBudget budget, IdleCallback whileIdle) {
    /**
     * Does it.
     *
     * @throws QueryAbandonedException if nobody wants the answer any more
     */
    void check() throws IOException {
      if (budget.abandoned().getAsBoolean()) {
        throw new QueryAbandonedException();
      }
      whileIdle.run();
    }
  }

  HitStream(Query query, List<BlockRef> blocks, ScanPool pool, ScanStats stats, Waiting waiting) {
    this.blocks = blocks;
    this.pool = pool;
    this.lane = pool.lane();
    BooleanSupplier abandoned = waiting.budget.abandoned();
    this.scan = pool.scan(query, stats, () -> stopped || abandoned.getAsBoolean());
    this.waiting = waiting;
  }

  boolean hasNext() {
    return !timeUp && taken < blocks.size();
  }

  /** Blocks whose hits were given. */
  int taken() {
    return taken;
  }

  /** Whether it ended before its last block. */
  boolean isTimeUp() {
    return timeUp;
  }

  /** The block whose hits {@link #next} gives. */
  BlockRef peek() {
    return blocks.get(taken);
  }

  /**
   * Waits for the hits of the next block. If time is up, gives none, and there are no more.
   *
   * @throws QueryAbandonedException if nobody wants the answer any more
   */
  BlockHits next() throws IOException {
    if (!portion.hasNext()) {
      releasePortion();
      waiting.check();
      submitAhead();
      if (waiting.budget.isTimeUp() || !awaitNext()) {
        timeUp = true;
        return BlockHits.none(peek().info().topic());
      }
      portion = take().iterator();
    }
    taken++;
    return portion.next();
  }

  private void announce() {
    for (; announced < blocks.size() && announced < taken + SOON_BLOCKS; announced++) {
      BlockRef next = blocks.get(announced);
      next.segment().willReadSoon(next.info());
    }
  }

  private void submitAhead() {
    announce();
    int room = AHEAD_PER_THREAD * pool.threads();
    while (submitted < blocks.size() && ahead.size() < room) {
      List<BlockRef> next = nextPortion();
      long bytes = rawBytes(next);
      long reserved = pool.ahead.take(bytes) ? bytes : 0;
      if (reserved == 0) {
        if (!ahead.isEmpty()) {
          return;
        }
        next = next.subList(0, 1);
        bytes = rawBytes(next);
      }
      submitted += next.size();
      submittedBytes += bytes;
      var hits =
          blocks.size() <= FEW_BLOCKS
              ? pool.scanHere(lane, scan, next)
              : pool.submit(lane, scan, next);
      ahead.add(new Portion(hits, reserved));
    }
  }

  /** A portion being scanned, and what it took of the pool's budget: its raw bytes, or nothing. */
  private record Portion(Future<List<BlockHits>> hits, long reservedBytes) {}

  private List<BlockRef> nextPortion() {
    long least =
        Math.clamp(submittedBytes / PART_OF_THOSE_BEFORE, MIN_PORTION_BYTES, MAX_PORTION_BYTES);
    int end = submitted;
    for (long bytes = 0; end < blocks.size() && bytes < least; end++) {
      bytes += blocks.get(end).info().rawBytes();
    }
    return blocks.subList(submitted, end);
  }

  private static long rawBytes(List<BlockRef> blocks) {
    return blocks.stream().mapToLong(ref -> ref.info().rawBytes()).sum();
  }

  private List<BlockHits> take() throws IOException {
    Portion next = ahead.remove();
    portionBytes = next.reservedBytes();
    try {
      return next.hits().get();
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void releasePortion() {
    pool.ahead.release(portionBytes);
    portionBytes = 0;
  }

  /** Waits until the next portion is scanned; false if time was up before. */
  private boolean awaitNext() throws IOException {
    Future<?> next = ahead.element().hits();
    while (!waiting.budget.isTimeUp()) {
      try {
        next.get(POLL_NANOS, TimeUnit.NANOSECONDS);
        return true;
      } catch (ExecutionException e) {
        return true; // It is over, however it ended.
      } catch (TimeoutException e) {
        waiting.check();
      } catch (InterruptedException e) {
        throw new QueryAbandonedException();
      }
    }
    return false;
  }

  /**
   * Lets blocks that were submitted ahead go unread, and waits for those being read: no segment is
   * in use after this.
   */
  void finish() {
    stopped = true;
    releasePortion();
    for (Portion waiting : ahead) {
      waitFor(waiting.hits());
      pool.ahead.release(waiting.reservedBytes());
    }
    ahead.clear();
  }

  private static void waitFor(Future<?> scan) {
    while (!scan.isDone()) {
      try {
        scan.get();
      } catch (InterruptedException | ExecutionException e) {
        // Its result is not wanted any more, however it ended; only that it ended counts.
      }
    }
  }
}

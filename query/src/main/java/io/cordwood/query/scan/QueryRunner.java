package io.cordwood.query.scan;

import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs queries over segments of this node: chooses blocks, scans them in parallel, merges what they
 * hold in ULID order.
 *
 * <p>Memory of a query: a portion of four MiB of blocks, and its share of the 32 MiB that all
 * queries may scan ahead, and the hits of those blocks that overlap in time at one moment; for the
 * newest N records, these, within what all such queries share.
 */
public final class QueryRunner implements AutoCloseable {
  private static final Comparator<BlockRef> OLDEST_FIRST =
      Comparator.comparing(ref -> ref.info().range().from());
  private static final Comparator<BlockRef> NEWEST_FIRST =
      Comparator.<BlockRef, io.cordwood.common.ulid.Ulid>comparing(ref -> ref.info().range().to())
          .reversed();

  private static final int NEWEST_PART_OF_HEAP = 4;

  private final ScanPool pool;
  private final NegativeCache misses;
  private final TallyCache tallies;
  private final AnswerMemory newestMemory;
  private final MeterRegistry meters;

  /**
   * @param threads that scan blocks, for all queries together
   */
  public QueryRunner(int threads, QueryCaches caches, MeterRegistry meters) {
    this(threads, caches, new AnswerMemory(ByteBudget.partOfHeap(NEWEST_PART_OF_HEAP)), meters);
  }

  QueryRunner(int threads, QueryCaches caches, AnswerMemory newestMemory, MeterRegistry meters) {
    this.newestMemory = newestMemory;
    this.misses = new NegativeCache(caches.missesBytes(), meters);
    this.tallies = new TallyCache(caches.missesBytes(), meters);
    this.pool = new ScanPool(threads, BlockCache.of(caches.hotBytes(), meters), misses, tallies);
    this.meters = meters;
    meters.gauge("cordwood.query.scans.waiting", pool, ScanPool::waiting);
    meters.gauge("cordwood.query.newest.bytes", newestMemory, AnswerMemory::heldBytes);
    for (Stop.Limit limit : Stop.Limit.values()) {
      var _ = stopped(limit);
    }
  }

  private QueryRunner(int threads, QueryRunner other) {
    this.newestMemory = other.newestMemory;
    this.misses = other.misses.none();
    this.tallies = other.tallies.none();
    this.pool = new ScanPool(threads, Optional.empty(), misses, tallies);
    this.meters = other.meters;
  }

  /**
   * One with threads of its own and without caches, which shares the memory of this one, and counts
   * where it does.
   */
  public QueryRunner beside(int ownThreads) {
    return new QueryRunner(ownThreads, this);
  }

  /**
   * Chooses what a query would have to read, and tells the segments; reads no block.
   *
   * @param abandoned asked again and again: whether nobody wants the answer any more
   * @throws QueryAbandonedException if that is so
   */
  public void plan(Query query, SegmentSource.View view, ScanStats stats, BooleanSupplier abandoned)
      throws IOException {
    var _ =
        ScanPlan.of(
            query,
            view.segments(),
            misses,
            stats,
            () -> {
              if (abandoned.getAsBoolean()) {
                throw new QueryAbandonedException();
              }
            });
  }

  /**
   * Gives every matching record once, in ULID order, to the sink, the first ones before the last
   * block is read.
   *
   * @param view stays the caller's; not in use any more when this returns
   * @param stats counts while the query runs
   * @param sink is also told, while the query waits, that it does
   * @return where it stopped at one of its bounds, if it did; empty if it searched all
   * @throws QueryAbandonedException if nobody wants the answer any more
   */
  public Optional<Stop> run(
      Query query, SegmentSource.View view, ScanStats stats, QueryBudget budget, HitSink sink)
      throws IOException {
    if (query.detail() == Query.Detail.LABELS) {
      boolean all = new LabelAnswer(query, stats).give(ConsumedHere.leftOut(view.segments()), sink);
      return all ? Optional.empty() : Optional.of(stop(Stop.Limit.MEMORY, query.range()));
    }
    if (query.detail().isOfIndex()) {
      IndexAnswer.give(query, view.segments(), stats, sink);
      return Optional.empty();
    }
    var waiting = new HitStream.Waiting(budget, sink::idle);
    List<BlockRef> plan = ScanPlan.of(query, view.segments(), misses, stats, waiting::check);
    boolean newestOnly = query.last() != Query.UNLIMITED;
    plan.sort(newestOnly ? NEWEST_FIRST : OLDEST_FIRST);
    List<BlockRef> within = within(plan, budget.bytes());
    var stream = new HitStream(query, within, pool, stats, waiting);
    var limited = new LimitSink(query.first(), stats, sink);
    try (var newest = new NewestRecords(query.last(), newestMemory)) {
      try {
        if (newestOnly) {
          takeNewest(stream, newest);
          newest.give(limited);
        } else {
          new HitMerger(stream).run(limited);
        }
      } finally {
        stream.finish();
      }
      boolean bytesUp = within.size() < plan.size() && stream.taken() == within.size();
      if (!(stream.isTimeUp() || bytesUp) || !limited.wantsMore()) {
        return outOfMemory(query, newest);
      }
      Stop.Limit limit = stream.isTimeUp() ? Stop.Limit.TIME : Stop.Limit.BYTES;
      UlidRange unread = plan.get(stream.taken()).info().range();
      if (!newestOnly) {
        return Optional.of(stop(limit, query.range().since(unread.from())));
      }
      return newest.isSettledBefore(unread.to())
          ? outOfMemory(query, newest)
          : Optional.of(stop(limit, query.range().until(unread.to())));
    }
  }

  /** Reads blocks, the newest first, until no older one can add to what was found. */
  private static void takeNewest(HitStream stream, NewestRecords newest) throws IOException {
    while (stream.hasNext() && !newest.isSettledBefore(stream.peek().info().range().to())) {
      BlockHits hits = stream.next();
      hits.groups().forEach(group -> newest.add(hits, group));
    }
  }

  private Optional<Stop> outOfMemory(Query query, NewestRecords newest) {
    return newest.cutBefore().map(ulid -> stop(Stop.Limit.MEMORY, query.range().until(ulid)));
  }

  /**
   * The budget that all queries for the newest records share, here and where nodes' answers are
   * merged.
   */
  public AnswerMemory newestMemory() {
    return newestMemory;
  }

  /** The first blocks, up to a number of bytes. */
  private static List<BlockRef> within(List<BlockRef> plan, long bytes) {
    long left = bytes;
    for (int i = 0; i < plan.size(); i++) {
      left -= plan.get(i).info().rawBytes();
      if (left < 0) {
        return plan.subList(0, i);
      }
    }
    return plan;
  }

  /** Counts it. */
  private Stop stop(Stop.Limit limit, UlidRange unsearched) {
    stopped(limit).increment();
    return new Stop(limit, unsearched);
  }

  /** How often queries stopped there. */
  public Counter stopped(Stop.Limit limit) {
    return meters.counter("cordwood.query.stopped", "limit", limit.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() {
    pool.close();
  }
}

package io.cordwood.query;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.ScanPlan.BlockRef;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs queries over segments of this node: chooses blocks, scans them in parallel, merges what they
 * hold in ULID order.
 *
 * <p>Memory of a query: a portion of half a MiB of blocks, and its share of the 32 MiB that all
 * queries may scan ahead, and the hits of those blocks that overlap in time at one moment; for the
 * newest N records, these records' blocks' hits.
 */
final class QueryRunner implements AutoCloseable {
  private static final Comparator<BlockRef> OLDEST_FIRST =
      Comparator.comparing(ref -> ref.info().range().from());
  private static final Comparator<BlockRef> NEWEST_FIRST =
      Comparator.<BlockRef, io.cordwood.common.ulid.Ulid>comparing(ref -> ref.info().range().to())
          .reversed();

  private final ScanPool pool;

  QueryRunner(int threads, Optional<HotBlocks> hot, MeterRegistry meters) {
    this.pool = new ScanPool(threads, hot);
    meters.gauge("cordwood.query.scans.waiting", pool, ScanPool::waiting);
  }

  /**
   * Counts what a query would have to read; reads no block.
   *
   * @param abandoned asked again and again: whether nobody wants the answer any more
   * @throws QueryAbandonedException if that is so
   */
  void plan(Query query, SegmentSource.View view, ScanStats stats, BooleanSupplier abandoned)
      throws IOException {
    ScanPlan.of(query, view.segments(), stats, abandoned);
  }

  /**
   * Gives every matching record once, in ULID order, to the sink, the first ones before the last
   * block is read.
   *
   * @param view stays the caller's; not in use any more when this returns
   * @param stats counts while the query runs
   * @param abandoned whether nobody wants the answer any more, from then on; asked by all threads
   *     that work for the query, before each block
   * @param sink is also told, while the query waits, that it does
   * @throws QueryAbandonedException if that is so
   */
  void run(
      Query query,
      SegmentSource.View view,
      ScanStats stats,
      BooleanSupplier abandoned,
      HitMerger.Sink sink)
      throws IOException {
    if (query.detail().isOfIndex()) {
      IndexAnswer.give(query, view.segments(), stats, sink);
      return;
    }
    List<BlockRef> plan = ScanPlan.of(query, view.segments(), stats, abandoned);
    boolean newestOnly = query.last() != Query.UNLIMITED;
    plan.sort(newestOnly ? NEWEST_FIRST : OLDEST_FIRST);
    var waiting = new HitStream.Waiting(abandoned, sink::idle);
    var stream = new HitStream(query, plan, pool, stats, waiting);
    var limited = new Limit(query.first(), stats, sink);
    try {
      if (newestOnly) {
        new NewestHits(query.last()).run(stream, limited);
      } else {
        new HitMerger(stream).run(limited);
      }
    } finally {
      stream.finish();
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}

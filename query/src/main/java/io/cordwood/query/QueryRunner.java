package io.cordwood.query;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.ScanPlan.BlockRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Runs queries over the segments of one node: chooses blocks, scans them in parallel, merges what
 * they hold in ULID order.
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

  private final SegmentSource source;
  private final ScanPool pool;

  QueryRunner(SegmentSource source, int threads) {
    this.source = source;
    this.pool = new ScanPool(threads);
  }

  /** What a query would have to read; reads no block. */
  ScanStats.Snapshot plan(Query query) throws IOException {
    var stats = new ScanStats();
    try (SegmentSource.View view = source.view(query.range())) {
      ScanPlan.of(query, view.segments(), stats);
    }
    return stats.snapshot();
  }

  /**
   * Gives every matching record once, in ULID order, to the sink, the first ones before the last
   * block is read.
   *
   * @param stats counts while the query runs
   * @param abandoned asked now and then: whether nobody wants the answer any more
   * @throws QueryAbandonedException if that is so
   */
  void run(Query query, ScanStats stats, BooleanSupplier abandoned, HitMerger.Sink sink)
      throws IOException {
    try (SegmentSource.View view = source.view(query.range())) {
      List<BlockRef> plan = new ArrayList<>(ScanPlan.of(query, view.segments(), stats));
      boolean newestOnly = query.last() != Query.UNLIMITED;
      plan.sort(newestOnly ? NEWEST_FIRST : OLDEST_FIRST);
      var stream = new HitStream(query, plan, pool, stats, abandoned);
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
  }

  /** Counts what goes through, and ends it at a number of records. */
  private static final class Limit implements HitMerger.Sink {
    private final ScanStats stats;
    private final HitMerger.Sink sink;
    private long left;

    Limit(long limit, ScanStats stats, HitMerger.Sink sink) {
      this.left = limit;
      this.stats = stats;
      this.sink = sink;
    }

    @Override
    public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
      int taken = (int) Math.min(left, group.size());
      var within = new BlockHits.Group(group.first(), group.from(), group.from() + taken);
      left -= taken;
      stats.matches.addAndGet(taken);
      return taken > 0 && sink.accept(hits, within) && left > 0;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}

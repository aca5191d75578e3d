package io.cordwood.query.gather;

import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdView;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.LackSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Fills a partial result from a bucket, on a thread of its own, which must not be interrupted. All
 * objects are read here: the answer rests on one list, that of the node that gathers.
 */
record ColdAnswer(
    Query query, Source source, PartialResult partial, ScanStats total, QueryBudget budget)
    implements Runnable {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ColdAnswer.class), Duration.ofMinutes(1));

  /**
   * A bucket, and the threads that wait for it: more than processors, and not those that search
   * what is on this node.
   */
  record Source(ColdReader reader, QueryRunner runner) implements AutoCloseable {
    /** Blocks that are read at once, for all queries. */
    private static final int THREADS = 16;

    /** A bucket with threads of its own, beside those of the node. */
    static Source of(ColdReader reader, QueryRunner node) {
      return new Source(reader, node.beside(THREADS));
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  @Override
  public void run() {
    var stats = new ScanStats();
    partial.advances(stats::progress);
    partial.opened(Optional.empty());
    try (ColdView view = source.reader.view(query.range(), partial::isUnwanted)) {
      partial.searches(new EvictedPart(true, view.place(), view.reliableUntilNanos()));
      Optional<Stop> stop = Optional.empty();
      if (query.detail() == Detail.PLAN) {
        source.runner.plan(query, view, stats, partial::isUnwanted);
        partial.plans(ColdPlan.of(view));
      } else {
        LackSink sink = LocalAnswer.sink(query, view, stats, partial);
        stop = source.runner.run(query, view, stats, budget, sink);
      }
      total.add(stats.snapshot());
      Verdicts.damage(stats.blocksDamaged.get()).ifPresent(partial::lacks);
      Stream.concat(view.lack().stream(), stop.map(ColdAnswer::lack).stream())
          .reduce(Lack::and)
          .ifPresent(partial::lacks);
      partial.end();
    } catch (QueryAbandonedException e) {
      partial.fail("not wanted any more");
    } catch (IOException e) {
      LOG.warn("a query fails of", "the bucket", e);
      partial.fail(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      partial.fail("a defect: " + e);
      throw e;
    }
  }

  private static Lack lack(Stop stop) {
    return new Lack(stop.unsearched(), stop.limit().text());
  }
}

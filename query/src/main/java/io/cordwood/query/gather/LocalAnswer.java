package io.cordwood.query.gather;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Tier;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.LackSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Fills a partial result from a tier of this node, on a thread of its own, which must not be
 * interrupted since it touches files.
 */
record LocalAnswer(
    Query query,
    QueryRunner runner,
    SegmentSource source,
    PartialResult partial,
    ScanStats total,
    QueryBudget budget)
    implements Runnable {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(LocalAnswer.class), Duration.ofMinutes(1));

  @Override
  public void run() {
    var stats = new ScanStats();
    partial.advances(stats::progress);
    Optional<Instant> stampTime = source.stampTime();
    try (SegmentSource.View view = source.view(query.range())) {
      partial.opened(stampTime);
      partial.evicted(view.evicted());
      LackSink sink = sink(query, view, stats, partial);
      if (query.detail() == Detail.PLAN) {
        runner.plan(query, view, stats, partial::isUnwanted);
      } else {
        runner.run(query, view, stats, budget, sink).ifPresent(partial::endStopped);
      }
      sink.end();
      total.add(stats.snapshot());
      Verdicts.damage(stats.blocksDamaged.get()).ifPresent(partial::lacks);
      partial.end();
    } catch (QueryAbandonedException e) {
      partial.fail("not wanted any more");
    } catch (IOException | HttpError e) {
      LOG.warn("a query fails of this node's own tier", partial.holder().tier(), e);
      partial.fail(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      partial.fail("a defect: " + e);
      throw e;
    }
  }

  /** Fills a partial result with what is found, and with what is lacking. */
  static LackSink sink(Query query, SegmentSource.View view, ScanStats stats, PartialResult partial)
      throws IOException {
    Tier tier = partial.holder().tier();
    return new LackSink(
        new Filler(partial), view, tier, stats, query.range(), (_, lack) -> partial.lacks(lack));
  }

  private record Filler(PartialResult partial) implements HitSink {
    @Override
    public boolean accept(BlockHits hits, BlockHits.Group group) {
      return partial.put(hits, group);
    }

    @Override
    public void passed(Ulid ulid) {
      partial.passed(ulid);
    }
  }
}

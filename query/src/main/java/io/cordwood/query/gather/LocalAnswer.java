package io.cordwood.query.gather;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
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
      if (query.detail() == Detail.PLAN) {
        var _ = runner.plan(query, view, stats, partial::isUnwanted);
      } else {
        runner
            .run(query, view, stats, budget, new Filler(partial))
            .or(() -> view.lack().map(lack -> Stop.of(lack, partial.holder().tier())))
            .ifPresent(partial::endStopped);
      }
      partial.evicted(view.evicted());
      total.add(stats.snapshot());
      Verdicts.damage(stats.blocksDamaged.get()).ifPresentOrElse(partial::endDamaged, partial::end);
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

  /** Passes on what is found. */
  record Filler(PartialResult partial) implements HitSink {
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

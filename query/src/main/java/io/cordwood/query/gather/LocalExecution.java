package io.cordwood.query.gather;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.Tier;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** A query that is answered from what this node holds. */
final class LocalExecution implements QueryExecution {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(LocalExecution.class), Duration.ofMinutes(1));

  private final Query query;
  private final QueryRunner runner;
  private final QueryBudget budget;
  private final Verdicts verdicts;
  private final Tier tier;
  private final ScanStats stats;
  private final Optional<Instant> stampTime;
  private final SegmentSource.View view;
  private final List<MissingNode> unreadable = new ArrayList<>();
  private Optional<Stop> stop = Optional.empty();

  LocalExecution(
      ClusterExecution.Dependencies dependencies,
      Query query,
      Verdicts verdicts,
      ScanStats stats,
      QueryBudget budget)
      throws IOException {
    this.query = query;
    this.runner = dependencies.runner();
    this.stats = stats;
    this.budget = budget;
    this.verdicts = verdicts;
    this.tier = verdicts.isStore() ? Tier.STORE : Tier.INGEST;
    SegmentSource source = dependencies.records().all().orElse(_ -> new Nothing());
    // Before any segment is looked at: what is written by now is in the segments by then.
    this.stampTime = source.stampTime();
    this.view = view(source, dependencies.records());
  }

  /** The segments to be read: those received are on another part of the disk than those stored. */
  private SegmentSource.View view(SegmentSource all, LocalRecords records) throws IOException {
    try {
      return all.view(query.range());
    } catch (IOException e) {
      LOG.warn("cannot be read:", "this node's own records", e);
      unreadable(records.unconsumed(), Tier.INGEST, e);
    }
    SegmentSource stored = records.stored().orElse(_ -> new Nothing());
    try {
      return stored.view(query.range());
    } catch (IOException e) {
      LOG.warn("cannot be read:", "this node's own stored records", e);
      unreadable(records.stored(), Tier.STORE, e);
      return new Nothing();
    }
  }

  private void unreadable(Optional<SegmentSource> source, Tier of, IOException why) {
    if (source.isPresent()) {
      unreadable.add(verdicts.missing(verdicts.self(), of, query.range(), why.toString()));
    }
  }

  private record Nothing() implements SegmentSource.View {
    @Override
    public List<io.cordwood.common.segment.Segment> segments() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  @Override
  public Optional<Instant> stampTime() {
    return stampTime;
  }

  @Override
  public void run(HitSink sink) throws IOException {
    if (query.detail() == Detail.PLAN) {
      runner.plan(query, view, stats, budget.abandoned());
    } else {
      stop = runner.run(query, view, stats, budget, sink);
    }
  }

  @Override
  public ScanStats stats() {
    return stats;
  }

  @Override
  public SearchProgress progress() {
    return stats.progress();
  }

  @Override
  public int nodes() {
    return 1;
  }

  @Override
  public Verdict verdict() {
    List<MissingNode> missing = new ArrayList<>(verdicts.gone());
    missing.addAll(unreadable);
    view.lack()
        .ifPresent(lack ->
            missing.add(verdicts.missing(verdicts.self(), tier, lack.range(), lack.reason())));
    EvictedPart.ALONE
        .missing(new PartialResult.Holder(verdicts.self(), tier), view.evicted(), 0)
        .ifPresent(missing::add);
    Verdicts.damage(stats.blocksDamaged.get())
        .ifPresent(lack ->
            missing.add(verdicts.missing(verdicts.self(), tier, query.range(), lack.reason())));
    return verdicts.of(missing).with(stop);
  }

  @Override
  public void close() {
    view.close();
  }
}

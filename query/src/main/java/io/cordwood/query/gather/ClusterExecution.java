package io.cordwood.query.gather;

import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.run.Threads;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.Tier;
import io.cordwood.query.gather.ResultMerger.Outcome;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import io.cordwood.query.scan.LimitSink;
import io.cordwood.query.scan.NewestRecords;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * A query that is answered from what all nodes hold.
 *
 * <p>Records move from ingest nodes to stores while it is asked. They leave the first only when
 * they are on the second; so all ingest nodes are asked first, and the stores when each of those
 * has said that it knows what it searches. One that has not after a time for opening is left out,
 * since what leaves it later is on no store that was asked. Of the stores, those are waited for
 * that may hold what the others do not.
 *
 * <p>Memory: of each answer up to a MiB ({@link MergeMemory}), of all together large frames ({@link
 * FrameMemory}), and what calls hold of those that are on their way.
 */
final class ClusterExecution implements QueryExecution {
  private final Dependencies dependencies;
  private final Question question;
  private final Query query;
  private final QueryBudget budget;
  private final Verdicts verdicts;
  private final ReplicaEvidence replicaEvidence;
  private final CopyCount copies;
  private final ResultMerger merger;
  private final ScanStats stats;
  private final List<Thread> local = new ArrayList<>();
  private final List<Thread> remote = new ArrayList<>();
  private Outcome outcome = Outcome.BROKEN_OFF;
  private Optional<Stop> memoryStop = Optional.empty();

  /**
   * The parts shared by all executions of a node.
   *
   * @param opening an ingest node that has not begun to answer by then is left out
   */
  record Dependencies(
      QueryRunner runner,
      LocalRecords records,
      PeerClient peers,
      CopyHints hints,
      GatherMetrics metrics,
      MergeState shared,
      Optional<ColdAnswer.Source> cold,
      Duration opening) {
    /** The bucket, if there is one, and it may have what no store has. */
    Optional<ColdAnswer.Source> cold(UlidRange range) {
      return cold.filter(it -> it.reader().mayHold(range));
    }
  }

  /**
   * Asks all nodes.
   *
   * @param budget whose deadline is that of what others say, too: what has not come is missing
   */
  ClusterExecution(
      Dependencies dependencies,
      Question question,
      Verdicts verdicts,
      ScanStats stats,
      QueryBudget budget)
      throws IOException {
    this.dependencies = dependencies;
    this.query = question.query();
    this.question = question;
    this.stats = stats;
    this.budget = budget;
    this.verdicts = verdicts;
    this.replicaEvidence = new ReplicaEvidence(verdicts);
    this.copies = new CopyCount(verdicts.copies());
    IntSupplier spareStores = query.detail().sumsCopies() ? () -> 0 : replicaEvidence::spareStores;
    this.merger =
        new ResultMerger(
            budget.abandoned(),
            query.detail().isOfIndex(),
            spareStores,
            copies,
            dependencies.shared);
    try {
      ask(Tier.INGEST, verdicts.nodes().ingest());
      long openedBy = System.nanoTime() + dependencies.opening.toNanos();
      merger.awaitOpened(Math.min(budget.deadlineNanos(), openedBy));
      leaveOut();
      ask(Tier.STORE, verdicts.nodes().stores());
      dependencies.cold(query.range()).ifPresent(this::ask);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void ask(Tier tier, List<ClusterNodes.Peer> peers) {
    for (ClusterNodes.Peer peer : peers) {
      PartialResult partial = add(new PartialResult.Holder(peer.nodeId(), tier));
      var answer =
          new PeerAnswer(
              question,
              new DeletionExchange(dependencies.records.deletions(), dependencies.peers),
              peer.uri(),
              partial,
              replicaEvidence,
              stats,
              dependencies.metrics);
      remote.add(Thread.ofVirtual().name("query-peer-" + peer.nodeId()).start(answer));
    }
    dependencies
        .records
        .of(tier)
        .ifPresent(source -> {
          PartialResult partial = add(new PartialResult.Holder(verdicts.self(), tier));
          var answer =
              new LocalAnswer(query, dependencies.runner, source, partial, stats, own(partial));
          local.add(Thread.ofVirtual().name("query-own-" + tier).start(answer));
        });
  }

  private void ask(ColdAnswer.Source cold) {
    PartialResult partial = add(new PartialResult.Holder(verdicts.self(), Tier.COLD));
    var answer = new ColdAnswer(query, cold, partial, stats, own(partial));
    local.add(Thread.ofVirtual().name("query-cold").start(answer));
  }

  private PartialResult add(PartialResult.Holder holder) {
    boolean replicated =
        holder.tier() == Tier.STORE
            && verdicts.nodes().isReplicated(holder.nodeId(), query.range());
    return merger.add(holder, replicated);
  }

  /** The bounds of this node's own part. */
  private QueryBudget own(PartialResult partial) {
    return new QueryBudget(budget.bytes(), budget.deadlineNanos(), partial::isUnwanted);
  }

  private void leaveOut() {
    String reason = "no answer within " + dependencies.opening.toSeconds() + " s";
    for (PartialResult partial : merger.all()) {
      if (partial.leaveOutUnlessOpened(reason)) {
        dependencies.metrics.failed("late");
      }
    }
  }

  @Override
  public Optional<Instant> stampTime() {
    List<PartialResult> ingest =
        merger.all().stream().filter(s -> s.holder().tier() == Tier.INGEST).toList();
    boolean allSaid = merger.read(() -> ingest.stream().allMatch(s -> s.stampTime().isPresent()));
    return allSaid
        ? ingest.stream().flatMap(s -> s.stampTime().stream()).min(Instant::compareTo)
        : Optional.empty();
  }

  @Override
  public void run(HitSink sink) throws IOException {
    if (query.last() == Query.UNLIMITED) {
      outcome = merger.run(new LimitSink(query.first(), stats, sink), budget.deadlineNanos());
    } else {
      var limit = new LimitSink(query.first(), stats, sink);
      try (var newest = new NewestRecords(query.last(), dependencies.runner.newestMemory())) {
        outcome = merger.run(new Collector(newest, limit), budget.deadlineNanos());
        newest.give(limit);
        memoryStop = newest.cutBefore().map(ulid -> stop(query.range().until(ulid)));
      }
    }
    if (outcome == Outcome.TIME_UP) {
      dependencies.runner.stopped(Stop.Limit.TIME).increment();
    }
  }

  /** Keeps what comes; who is to get it is told meanwhile that it is waited for. */
  private record Collector(NewestRecords newest, HitSink waiting) implements HitSink {
    @Override
    public boolean accept(BlockHits hits, BlockHits.Group group) {
      newest.add(hits, group);
      return true;
    }

    @Override
    public void idle() throws IOException {
      waiting.idle();
    }
  }

  private Stop stop(UlidRange unsearched) {
    dependencies.runner.stopped(Stop.Limit.MEMORY).increment();
    return new Stop(Stop.Limit.MEMORY, unsearched);
  }

  @Override
  public ScanStats stats() {
    return stats;
  }

  @Override
  public SearchProgress progress() {
    merger.lock();
    try {
      return merger.all().stream()
          .map(PartialResult::progress)
          .reduce(SearchProgress.NONE, SearchProgress::plus);
    } finally {
      merger.unlock();
    }
  }

  @Override
  public int nodes() {
    return (int) merger.all().stream().map(s -> s.holder().nodeId()).distinct().count();
  }

  @Override
  public Optional<ColdPlan> coldPlan() {
    merger.lock();
    try {
      return merger.all().stream().flatMap(it -> it.plan().stream()).findFirst();
    } finally {
      merger.unlock();
    }
  }

  @Override
  public Verdict verdict() {
    Verdicts judging = replicaEvidence.verdicts();
    Verdict verdict = judging.of(missing(judging)).with(memoryStop);
    if (verdict.isComplete()) {
      return verdict;
    }
    dependencies.metrics.incomplete();
    return outcome == Outcome.TIME_UP && memoryStop.isEmpty()
        ? verdict.with(verdict.range().map(range -> new Stop(Stop.Limit.TIME, range)))
        : verdict;
  }

  private List<MissingNode> missing(Verdicts judging) {
    Optional<Ulid> enough =
        outcome == Outcome.ENOUGH
            ? Optional.ofNullable(merger.lastGiven()).map(BatchId::first)
            : Optional.empty();
    var parts = new MissingParts(judging, query.range().until(enough.orElse(Ulid.MAX)));
    merger.lock();
    try {
      List<MissingNode> missing = new ArrayList<>(parts.of(merger.all()));
      deletedMeanwhile().ifPresent(missing::add);
      return missing;
    } finally {
      merger.unlock();
    }
  }

  /** Others know what is deleted since they were asked, and some parts may hold it. */
  private Optional<MissingNode> deletedMeanwhile() {
    String known = dependencies.records.deletions().known().sumText();
    return known.equals(question.deletions())
        ? Optional.empty()
        : Optional.of(
            new MissingNode(
                verdicts.self(),
                Tier.STORE,
                query.range(),
                "some of these records were deleted while they were asked for: ask again",
                false));
  }

  /**
   * Whether copies can be counted: not after a limit, when each store gives another part, nor after
   * a failure, nor if a store let go of some.
   */
  private boolean showsCopies() {
    return (outcome == Outcome.ALL || outcome == Outcome.ENOUGH)
        && !merger.spared()
        && query.first() == Query.UNLIMITED
        && query.last() == Query.UNLIMITED
        && !query.detail().isOfIndex()
        && replicaEvidence.verdicts().nodes().gone().isEmpty()
        && merger.read(
            () -> merger.all().stream().allMatch(s -> s.lack().isEmpty() && s.evicted().isEmpty()));
  }

  @Override
  public void close() {
    if (outcome == Outcome.ALL) {
      copies.settle();
    }
    if (showsCopies()) {
      dependencies.hints.send(copies, verdicts.nodes());
    }
    merger.all().forEach(PartialResult::stop);
    remote.forEach(Thread::interrupt);
    // No segment may be in use after this.
    local.forEach(Threads::join);
    remote.forEach(Threads::join);
    merger.release();
  }
}

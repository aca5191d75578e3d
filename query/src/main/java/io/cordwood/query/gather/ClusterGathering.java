package io.cordwood.query.gather;

import io.cordwood.common.http.PeerConnections;
import io.cordwood.common.run.Threads;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.BatchId;
import io.cordwood.query.BlockHits;
import io.cordwood.query.HitSink;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.Progress;
import io.cordwood.query.Query;
import io.cordwood.query.Query.Detail;
import io.cordwood.query.ScanStats;
import io.cordwood.query.Stop;
import io.cordwood.query.Tier;
import io.cordwood.query.gather.Strands.Outcome;
import io.cordwood.query.scan.Bounds;
import io.cordwood.query.scan.Limit;
import io.cordwood.query.scan.NewestRecords;
import io.cordwood.query.scan.QueryRunner;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A query that is answered from what all nodes hold.
 *
 * <p>Records move from ingest nodes to stores while it is asked. They leave the first only when
 * they are on the second; so all ingest nodes are asked first, and the stores when each of those
 * has said that it knows what it searches. One that has not after {@link #OPEN_TIME} is left out,
 * since what leaves it later is on no store that was asked. Of the stores, those are waited for
 * that may hold what the others do not.
 *
 * <p>Memory: of each answer a MiB, and what sockets hold of those that are on their way.
 */
final class ClusterGathering implements Gathering {
  private static final Duration OPEN_TIME = Duration.ofSeconds(5);

  private final Parts parts;
  private final Question question;
  private final Query query;
  private final Bounds bounds;
  private final Verdicts verdicts;
  private final CopyCount copies;
  private final Strands strands;
  private final ScanStats stats;
  private final List<Thread> local = new ArrayList<>();
  private final List<Thread> remote = new ArrayList<>();
  private Outcome outcome = Outcome.BROKEN_OFF;
  private Optional<Stop> memoryStop = Optional.empty();

  /** What all gatherings of a node have in common. */
  record Parts(
      QueryRunner runner,
      LocalRecords records,
      PeerConnections peers,
      CopyHints hints,
      GatherMetrics metrics) {}

  /**
   * What is asked.
   *
   * @param progress whether the nodes are to say how far they have come
   */
  record Question(Query query, boolean progress) {}

  /**
   * Asks all nodes.
   *
   * @param bounds whose deadline is that of what others say, too: what has not come is missing
   */
  ClusterGathering(
      Parts parts, Question question, Verdicts verdicts, ScanStats stats, Bounds bounds)
      throws IOException {
    this.parts = parts;
    this.query = question.query;
    this.question = question;
    this.stats = stats;
    this.bounds = bounds;
    this.verdicts = verdicts;
    this.copies = new CopyCount(verdicts.copies());
    int spareStores = query.detail() == Detail.TOPICS ? 0 : verdicts.spareStores();
    this.strands = new Strands(bounds.abandoned(), query.detail().isOfIndex(), spareStores, copies);
    try {
      ask(Tier.INGEST, verdicts.nodes().ingest());
      strands.awaitOpened(
          Math.min(bounds.deadlineNanos(), System.nanoTime() + OPEN_TIME.toNanos()));
      leaveOut();
      ask(Tier.STORE, verdicts.nodes().stores());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void ask(Tier tier, List<ClusterNodes.Peer> peers) {
    for (ClusterNodes.Peer peer : peers) {
      Strand strand = add(new Strand.Holder(peer.nodeId(), tier));
      var answer = new PeerAnswer(question, parts.peers, peer.uri(), strand, stats, parts.metrics);
      remote.add(Thread.ofVirtual().name("query-peer-" + peer.nodeId()).start(answer));
    }
    parts
        .records
        .of(tier)
        .ifPresent(source -> {
          Strand strand = add(new Strand.Holder(verdicts.self(), tier));
          var answer = new LocalAnswer(query, parts.runner, source, strand, stats, own(strand));
          local.add(Thread.ofVirtual().name("query-own-" + tier).start(answer));
        });
  }

  private Strand add(Strand.Holder holder) {
    boolean replicated =
        holder.tier() == Tier.STORE
            && verdicts.nodes().isReplicated(holder.nodeId(), query.range());
    return strands.add(holder, replicated);
  }

  /** The bounds of this node's own part. */
  private Bounds own(Strand strand) {
    return new Bounds(bounds.bytes(), bounds.deadlineNanos(), strand::isUnwanted);
  }

  private void leaveOut() {
    for (Strand strand : strands.all()) {
      if (!strands.read(strand::isOpened)) {
        strand.fail("no answer within " + OPEN_TIME.toSeconds() + " s");
        strand.stop();
        parts.metrics.failed("late");
      }
    }
  }

  @Override
  public Optional<Instant> stampTime() {
    List<Strand> ingest =
        strands.all().stream().filter(s -> s.holder().tier() == Tier.INGEST).toList();
    boolean allSaid = strands.read(() -> ingest.stream().allMatch(s -> s.stampTime().isPresent()));
    return allSaid
        ? ingest.stream().flatMap(s -> s.stampTime().stream()).min(Instant::compareTo)
        : Optional.empty();
  }

  @Override
  public void run(HitSink sink) throws IOException {
    if (query.last() == Query.UNLIMITED) {
      outcome = strands.run(new Limit(query.first(), stats, sink), bounds.deadlineNanos());
    } else {
      var limit = new Limit(query.first(), stats, sink);
      try (var newest = new NewestRecords(query.last(), parts.runner.newestBudget())) {
        outcome = strands.run(new Collector(newest, limit), bounds.deadlineNanos());
        newest.give(limit);
        memoryStop = newest.cutBefore().map(ulid -> stop(query.range().until(ulid)));
      }
    }
    if (outcome == Outcome.TIME_UP) {
      parts.runner.stopped(Stop.Limit.TIME).increment();
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
    parts.runner.stopped(Stop.Limit.MEMORY).increment();
    return new Stop(Stop.Limit.MEMORY, unsearched);
  }

  @Override
  public ScanStats stats() {
    return stats;
  }

  @Override
  public Progress progress() {
    strands.lock();
    try {
      return strands.all().stream().map(Strand::progress).reduce(Progress.NONE, Progress::plus);
    } finally {
      strands.unlock();
    }
  }

  @Override
  public int nodes() {
    return (int) strands.all().stream().map(s -> s.holder().nodeId()).distinct().count();
  }

  @Override
  public Verdict verdict() {
    List<Missing> missing = new ArrayList<>(verdicts.gone(query.range()));
    strands.lock();
    try {
      for (Strand strand : strands.all()) {
        strand
            .failure()
            .filter(this::matters)
            .ifPresent(failure -> missing.add(missing(strand.holder(), failure)));
      }
    } finally {
      strands.unlock();
    }
    Verdict verdict = verdicts.of(missing).with(memoryStop);
    if (verdict.isComplete()) {
      return verdict;
    }
    parts.metrics.incomplete();
    return outcome == Outcome.TIME_UP && memoryStop.isEmpty()
        ? verdict.with(verdict.range().map(range -> new Stop(Stop.Limit.TIME, range)))
        : verdict;
  }

  /** Whether it lacks something of what was given, not only of what nobody wanted any more. */
  private boolean matters(Strand.Failure failure) {
    BatchId last = strands.lastGiven();
    return outcome != Outcome.ENOUGH || last == null || !failure.from().isAfter(last.first());
  }

  private Missing missing(Strand.Holder holder, Strand.Failure failure) {
    UlidRange range = query.range().since(failure.from()).until(failure.to());
    return verdicts.missing(holder.nodeId(), holder.tier(), range, failure.reason());
  }

  /** Of a limited question each store gives another part; who failed may have given less. */
  private boolean showsCopies() {
    return (outcome == Outcome.ALL || outcome == Outcome.ENOUGH)
        && !strands.spared()
        && query.first() == Query.UNLIMITED
        && query.last() == Query.UNLIMITED
        && !query.detail().isOfIndex()
        && verdicts.nodes().gone().isEmpty()
        && strands.read(() -> strands.all().stream().allMatch(s -> s.failure().isEmpty()));
  }

  @Override
  public void close() {
    if (outcome == Outcome.ALL) {
      copies.settle();
    }
    if (showsCopies()) {
      parts.hints.send(copies, verdicts.nodes());
    }
    strands.all().forEach(Strand::stop);
    remote.forEach(Thread::interrupt);
    // No segment may be in use after this.
    local.forEach(Threads::join);
    remote.forEach(Threads::join);
  }
}

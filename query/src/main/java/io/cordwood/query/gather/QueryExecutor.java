package io.cordwood.query.gather;

import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.ClusterExecution.Dependencies;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import io.cordwood.query.wire.SharedNodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers queries from what all nodes hold, or this one alone. For all threads. */
public final class QueryExecutor implements AutoCloseable {
  private static final Duration NO_TIME = Duration.ofMillis(1);

  private final Dependencies dependencies;
  private final Cluster cluster;
  private final QueryLimits limits;

  /**
   * The cluster as this node knows it.
   *
   * @param self this node's id
   * @param nodes the others, at this moment
   * @param credentials by which this one shows that it is of the cluster
   */
  public record Cluster(String self, Supplier<ClusterNodes> nodes, PeerCredentials credentials) {}

  public QueryExecutor(
      QueryRunner runner,
      LocalRecords records,
      Cluster cluster,
      QueryLimits limits,
      MeterRegistry meters) {
    var peers = new PeerClient(limits.turn(), limits.silence(), cluster.credentials);
    var hints = new CopyHints(peers, meters);
    this.dependencies =
        new Dependencies(
            runner,
            records,
            peers,
            hints,
            new GatherMetrics(meters),
            MergeState.ofHeap(meters),
            records.cold().map(reader -> ColdAnswer.Source.of(reader, runner)),
            limits.opening());
    this.cluster = cluster;
    this.limits = limits;
  }

  /**
   * How a query is to be answered.
   *
   * @param here from this node alone
   * @param timeLimit after which unanswered parts count as missing; empty for the node's own
   *     maximum
   * @param progress whether the other nodes should report how far they have come
   */
  public record Options(boolean here, Optional<Duration> timeLimit, boolean progress) {}

  /**
   * The options for one of several queries that make an answer: with the rest of its time, and
   * without progress.
   */
  public Options since(long beganNanos, Options options) {
    Duration left =
        options
            .timeLimit()
            .orElse(limits.effort().time())
            .minusNanos(System.nanoTime() - beganNanos);
    return new Options(
        options.here, Optional.of(left.compareTo(NO_TIME) < 0 ? NO_TIME : left), false);
  }

  /**
   * Begins to answer; waits for the ingest nodes, shortly.
   *
   * @param stats that it counts in
   * @param abandoned asked while waiting: whether nobody wants the answer any more
   */
  public QueryExecution gather(
      Query query, Options options, ScanStats stats, BooleanSupplier abandoned) throws IOException {
    if (!query.topics().labels().isEmpty()) {
      stats.tellMatchesOnly();
    }
    ClusterNodes nodes = options.here ? ClusterNodes.NONE : cluster.nodes.get();
    QueryBudget budget = bounds(options, abandoned);
    boolean isStore = dependencies.records().stored().isPresent();
    var verdicts = Verdicts.of(cluster.self, isStore, nodes, query.range(), InstantSource.system());
    boolean alone = nodes.ingest().isEmpty() && nodes.stores().isEmpty();
    if (alone && dependencies.cold(query.range()).isEmpty()) {
      return new LocalExecution(dependencies, query, verdicts, stats, budget);
    }
    String deletions = dependencies.records().deletions().known().sumText();
    var question = new Question(query, options.progress, known(nodes), deletions);
    return new ClusterExecution(dependencies, question, verdicts, stats, budget);
  }

  /** A node that holds records is one of those that the others know. */
  private Optional<KnownParts> known(ClusterNodes nodes) {
    boolean holds = dependencies.records().all().isPresent();
    return SharedNodes.of(nodes.known(), holds ? nodes.selfKnown() : Optional.empty());
  }

  private QueryBudget bounds(Options options, BooleanSupplier abandoned) {
    QueryBudget most = QueryBudget.of(limits.effort(), abandoned);
    Duration wanted = options.timeLimit.orElse(limits.effort().time());
    boolean less = wanted.compareTo(limits.effort().time()) < 0;
    long deadline = less ? System.nanoTime() + wanted.toNanos() : most.deadlineNanos();
    return new QueryBudget(most.bytes(), deadline, abandoned);
  }

  /** Breaks off what is asked of other nodes. */
  @Override
  public void close() {
    dependencies.peers().close();
    dependencies.cold().ifPresent(ColdAnswer.Source::close);
  }
}

package io.cordwood.query.gather;

import io.cordwood.query.request.Query;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Queries that make one answer together, one after the other, within the time that it has. For the
 * answer's own thread.
 */
public final class MultiPassQuery {
  private final QueryExecutor executor;
  private final QueryExecutor.Options options;
  private final ScanStats stats;
  private final BooleanSupplier abandoned;
  private final long beganNanos = System.nanoTime();
  private @Nullable Verdict verdict;

  /**
   * @param stats that all of them count in
   * @param abandoned asked while waiting: whether nobody wants the answer any more
   */
  public MultiPassQuery(
      QueryExecutor executor,
      QueryExecutor.Options options,
      ScanStats stats,
      BooleanSupplier abandoned) {
    this.executor = executor;
    this.options = options;
    this.stats = stats;
    this.abandoned = abandoned;
  }

  /** Gives the sink what matches a query. */
  public void gather(Query query, HitSink sink) throws IOException {
    try (QueryExecution execution =
        executor.gather(query, executor.since(beganNanos, options), stats, abandoned)) {
      execution.run(sink);
      Verdict next = execution.verdict();
      verdict = verdict == null ? next : verdict.and(next);
    }
  }

  /** In which all of them count. */
  public ScanStats stats() {
    return stats;
  }

  /** The verdict on all so far; empty before the first. */
  public Optional<Verdict> said() {
    return Optional.ofNullable(verdict);
  }

  /** Whether all of them found all; after the first. */
  public Verdict verdict() {
    return Objects.requireNonNull(verdict);
  }
}

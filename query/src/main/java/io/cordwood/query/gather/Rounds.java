package io.cordwood.query.gather;

import io.cordwood.query.HitSink;
import io.cordwood.query.Query;
import io.cordwood.query.ScanStats;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Queries that make one answer together, one after the other, within the time that it has. For the
 * answer's own thread.
 */
public final class Rounds {
  private final Gatherer gatherer;
  private final Gatherer.Manner manner;
  private final ScanStats stats;
  private final BooleanSupplier abandoned;
  private final long beganNanos = System.nanoTime();
  private @Nullable Verdict verdict;

  /**
   * @param stats that all of them count in
   * @param abandoned asked while waiting: whether nobody wants the answer any more
   */
  public Rounds(
      Gatherer gatherer, Gatherer.Manner manner, ScanStats stats, BooleanSupplier abandoned) {
    this.gatherer = gatherer;
    this.manner = manner;
    this.stats = stats;
    this.abandoned = abandoned;
  }

  /** Gives the sink what matches a query. */
  public void gather(Query query, HitSink sink) throws IOException {
    try (Gathering gathering =
        gatherer.gather(query, gatherer.since(beganNanos, manner), stats, abandoned)) {
      gathering.run(sink);
      Verdict next = gathering.verdict();
      verdict = verdict == null ? next : verdict.and(next);
    }
  }

  /** Whether all of them found all; after the first. */
  public Verdict verdict() {
    return Objects.requireNonNull(verdict);
  }
}

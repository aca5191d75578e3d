package io.cordwood.query.api;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes on a number of records, and at most one batch more, and remembers where it stopped. For
 * the query's own thread.
 */
final class RecordBudget implements HitSink {
  private final ScanStats stats;
  private final HitSink sink;
  private final Counter stopped;
  private long left;
  private @Nullable Ulid stoppedBefore;

  /**
   * The limit of one answer of a node.
   *
   * @param stopped counts answers that would have more
   */
  record Most(long records, Counter stopped) {
    /**
     * @param stats whose matches are those that are given
     */
    RecordBudget of(ScanStats stats, HitSink sink) {
      return new RecordBudget(this, stats, sink);
    }
  }

  private RecordBudget(Most most, ScanStats stats, HitSink sink) {
    this.stats = stats;
    this.sink = sink;
    this.stopped = most.stopped;
    this.left = most.records;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    if (left <= 0) {
      stoppedBefore = group.first();
      stopped.increment();
      stats.matches.addAndGet(-group.size());
      return false;
    }
    left -= group.size();
    return sink.accept(hits, group);
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
  }

  /** The part of the range that was not given; empty if all was. */
  Optional<Stop> stop(UlidRange asked) {
    return Optional.ofNullable(stoppedBefore)
        .filter(from -> !from.isAfter(asked.to()))
        .map(from -> new Stop(Stop.Limit.RECORDS, asked.since(from)));
  }
}

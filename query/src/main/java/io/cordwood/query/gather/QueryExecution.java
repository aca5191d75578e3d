package io.cordwood.query.gather;

import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** One query that is being answered. For the query's own thread; to be closed. */
public interface QueryExecution extends AutoCloseable {
  /**
   * The least of the times that records are stamped with where they are received, asked before the
   * first segment was looked at; empty if not every node that receives has said it.
   */
  Optional<Instant> stampTime();

  /**
   * Gives every matching record once, in ULID order, to the sink, the first ones before the search
   * is over. At most once.
   *
   * @throws QueryAbandonedException if nobody wants the answer any more
   */
  void run(HitSink sink) throws IOException;

  /** Counts of what was read and found; exact after {@link #run}. */
  ScanStats stats();

  /**
   * How far all nodes have come, while it runs. Those that are other ones only if they were asked
   * to say it.
   */
  SearchProgress progress();

  /** Nodes that were asked, this one too if it holds something. */
  int nodes();

  /** How much it would take of a bucket; empty if there is none, or that was not asked. */
  default Optional<ColdPlan> coldPlan() {
    return Optional.empty();
  }

  /** Whether everything was found; valid after {@link #run}. */
  Verdict verdict();

  /** Ends what still runs, here and on other nodes. */
  @Override
  void close();
}

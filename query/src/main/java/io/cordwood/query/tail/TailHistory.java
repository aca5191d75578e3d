package io.cordwood.query.tail;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The records received before a stream began, which are given first. All nodes are followed
 * already; what came since then waits in the buffer.
 *
 * <p>Nodes are looked at one a moment after the other. So of the newest N it is looked up where
 * they begin, and then everything from there on is given, or from the first batch on that waits: N
 * records, and on a busy cluster some more, but none between two that were given is left out.
 */
final class TailHistory {
  private static final Duration TIME = Duration.ofSeconds(10);

  private final QueryExecutor executor;
  private final TailBuffer buffer;
  private final TailPosition position;
  private final TailOutput output;

  TailHistory(QueryExecutor executor, TailBuffer buffer, TailPosition position, TailOutput output) {
    this.executor = executor;
    this.buffer = buffer;
    this.position = position;
    this.output = output;
  }

  /** Writes it, and sends it. */
  void give(Tail.Backlog backlog) throws IOException {
    HitSink writer =
        (hits, group) -> {
          if (buffer.wants(hits, group) && buffer.take(hits.id(group))) {
            Ulid first = hits.ulid(group, group.from());
            output.records(hits, group, position.inHistory(first));
          }
          return true;
        };
    if (backlog.newest().isEmpty()) {
      run(backlog.all(), Optional.empty(), writer);
    } else {
      Optional<Ulid> from = begin(backlog);
      if (from.isPresent()) {
        var range = new UlidRange(from.get(), backlog.all().range().to());
        run(backlog.all().within(range, Query.UNLIMITED), Optional.of(TIME), writer);
      }
    }
    output.flush();
  }

  /** The first of the newest N; empty if there is no record. */
  private Optional<Ulid> begin(Tail.Backlog backlog) throws IOException {
    List<Ulid> found = new ArrayList<>();
    for (Query newest : backlog.newest()) {
      run(
          newest,
          Optional.of(TIME),
          (hits, group) -> {
            for (int hit = group.from(); hit < group.to(); hit++) {
              found.add(hits.ulid(group, hit));
            }
            return true;
          });
    }
    Collections.sort(found);
    Optional<Ulid> first =
        found.stream().skip(Math.max(0, found.size() - backlog.most())).findFirst();
    Optional<Ulid> waits = buffer.first().map(BatchId::first);
    return first.isPresent() && waits.isPresent() && waits.get().isBefore(first.get())
        ? waits
        : first;
  }

  private void run(Query query, Optional<Duration> timeLimit, HitSink sink) throws IOException {
    var options = new QueryExecutor.Options(false, timeLimit, false);
    try (QueryExecution found = executor.gather(query, options, new ScanStats(), output::isGone)) {
      found.run(sink);
      if (!found.verdict().isComplete()) {
        buffer.tell("records that were received before may be missing: not all nodes answered");
      }
    }
  }
}

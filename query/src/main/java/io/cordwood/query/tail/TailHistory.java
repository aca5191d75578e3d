package io.cordwood.query.tail;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
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
  private final TailForm form;
  private final TailBuffer buffer;
  private final TailPosition position;
  private final Response response;

  TailHistory(
      QueryExecutor executor,
      TailForm form,
      TailBuffer buffer,
      TailPosition position,
      Response response) {
    this.executor = executor;
    this.form = form;
    this.buffer = buffer;
    this.position = position;
    this.response = response;
  }

  /** Writes it, and sends it. */
  void give(Query query) throws IOException {
    OutputStream out = response.body();
    HitSink writer =
        (hits, group) -> {
          if (buffer.take(hits.id(group))) {
            Ulid first = hits.ulid(group, group.from());
            form.records(hits, group, position.inHistory(first), out);
          }
          return true;
        };
    if (query.last() == Query.UNLIMITED) {
      run(query, Optional.empty(), writer);
    } else {
      Optional<Ulid> from = begin(query);
      if (from.isPresent()) {
        var range = new UlidRange(from.get(), Ulid.MAX);
        run(query.within(range, Query.UNLIMITED), Optional.of(TIME), writer);
      }
    }
    out.flush();
  }

  /** The first of the newest N; empty if there is no record. */
  private Optional<Ulid> begin(Query newest) throws IOException {
    List<Ulid> first = new ArrayList<>();
    run(
        newest,
        Optional.of(TIME),
        (hits, group) -> {
          if (first.isEmpty()) {
            first.add(hits.ulid(group, group.from()));
          }
          return true;
        });
    Optional<Ulid> found = first.stream().findFirst();
    Optional<Ulid> waits = buffer.first().map(BatchId::first);
    return found.isPresent() && waits.isPresent() && waits.get().isBefore(found.get())
        ? waits
        : found;
  }

  private void run(Query query, Optional<Duration> timeLimit, HitSink sink) throws IOException {
    var manner = new QueryExecutor.Manner(false, timeLimit, false);
    try (QueryExecution found =
        executor.gather(query, manner, new ScanStats(), response::clientGone)) {
      found.run(sink);
      if (!found.verdict().isComplete()) {
        buffer.tell("records that were received before may be missing: not all nodes answered");
      }
    }
  }
}

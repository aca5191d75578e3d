package io.cordwood.query.api;

import io.cordwood.common.http.server.Response;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;

/** Answers that are the records which one query gathers, as they come. */
record RecordAnswers(QueryExecutor executor, QueryGate gate) {
  /** Runs a query, and writes what it gives. */
  @FunctionalInterface
  interface Answer {
    void write(QueryExecution execution) throws IOException;
  }

  /**
   * Gathers until the answer is written, or its client has left.
   *
   * @throws io.cordwood.common.http.server.HttpError 503 if too many queries run
   */
  void gather(Query query, QueryExecutor.Options options, Response response, Answer answer)
      throws IOException {
    var stats = new ScanStats();
    gate.run(
        stats,
        options.here(),
        () -> {
          try (QueryExecution execution =
              executor.gather(query, options, stats, response::clientGone)) {
            answer.write(execution);
          }
        });
  }
}

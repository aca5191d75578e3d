package io.cordwood.query.http;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;

/**
 * Answers with tables, such as of counts, instead of records: lets a bounded number be made at
 * once, and ends each with its verdict and statistics. For all threads.
 */
public final class TableAnswers {
  private final QueryExecutor executor;
  private final QueryGate gate;

  public TableAnswers(QueryExecutor executor, QueryGate gate) {
    this.executor = executor;
    this.gate = gate;
  }

  /** A table that is being made. */
  @FunctionalInterface
  public interface Table {
    /**
     * Gathers what the table is made of, and writes it to the body of the answer.
     *
     * @return how much is in it, as the answer's number of matches
     */
    long write(MultiPassQuery query, AnswerForm form) throws IOException;
  }

  /** Makes a table and answers with it. */
  public void answer(Request request, Response response, Table table) throws IOException {
    QueryExecutor.Options options = QueryParams.options(request);
    AnswerForm form = AnswerForm.ofTable(request);
    var stats = new ScanStats();
    gate.run(
        stats,
        options.here(),
        () -> {
          response.header("content-type", form.type());
          var query = new MultiPassQuery(executor, options, stats, response::clientGone);
          long matches = table.write(query, form);
          Verdict verdict = query.verdict();
          form.end(verdict, matches, response.body());
          verdict.eachField(response::trailer);
          response.trailer(ApiHeaders.MATCHES, Long.toString(matches));
          StatisticsFields.each(stats.snapshot(), response::trailer);
        });
  }
}

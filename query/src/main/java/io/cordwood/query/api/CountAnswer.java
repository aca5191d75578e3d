package io.cordwood.query.api;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.histogram.IndexCount;
import io.cordwood.query.http.AnswerForm;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.StatisticsFields;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * How many records match, instead of these. All that there are are counted from the indexes, as far
 * as that is exact. For the query's own thread.
 */
final class CountAnswer {
  private final Query query;
  private final QueryExecutor executor;
  private final QueryExecutor.Options options;
  private final ScanStats stats;
  private final Response response;
  private final AnswerForm form;

  CountAnswer(
      Query query,
      QueryExecutor executor,
      QueryExecutor.Options options,
      ScanStats stats,
      Response response,
      AnswerForm form) {
    this.query = query;
    this.executor = executor;
    this.options = options;
    this.form = form;
    this.stats = stats;
    this.response = response;
  }

  void run() throws IOException {
    var body = new AnswerBody(response, form.type(), options.progress());
    Verdict verdict = query.countsAll() ? byIndex() : bySearch(body);
    write(stats.matches.get(), verdict, body.out());
    body.end();
    verdict.eachField(response::trailer);
    StatisticsFields.all(stats.snapshot(), response::trailer);
  }

  private void write(long count, Verdict verdict, OutputStream out) throws IOException {
    if (form.json()) {
      JsonLines.writeCount(verdict, count, out);
    } else {
      out.write((count + "\n").getBytes(StandardCharsets.US_ASCII));
      form.end(verdict, count, out);
    }
  }

  private Verdict byIndex() throws IOException {
    var multiPassQuery = new MultiPassQuery(executor, options, stats, response::clientGone);
    stats.matches.set(byIndex(query, multiPassQuery));
    return multiPassQuery.verdict();
  }

  /** The number of all records in a query's range, of its topics. */
  static long byIndex(Query query, MultiPassQuery multiPassQuery) throws IOException {
    var total = new Total();
    IndexCount.run(query, multiPassQuery, total);
    return total.records;
  }

  private Verdict bySearch(AnswerBody body) throws IOException {
    try (QueryExecution execution = executor.gather(query, options, stats, response::clientGone)) {
      body.search(execution, (hits, group) -> true);
      return execution.verdict();
    }
  }

  private static final class Total implements IndexCount.Tally {
    private long records;

    @Override
    public boolean isOne(UlidRange range) {
      return true;
    }

    @Override
    public void add(long millis, long more) {
      records += more;
    }
  }
}

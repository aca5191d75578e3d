package io.cordwood.query.api;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.http.AnswerEnd;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.ReadPositions;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code GET /read}: the records after a position, oldest first, streamed; {@link ReadParams} reads
 * the parameters. The answer has two positions, in trailers and in the last object of JSON. Either
 * can be the next {@code from_ulid}:
 *
 * <pre>
 *   cordwood-next-ulid      of the last record given: to read on at once
 *   cordwood-settled-ulid   no record will appear at or before it unless it is late: to resume from
 *                           here if re-reading what follows is acceptable. Only if every node
 *                           that receives has answered, and nothing before it was left out
 *
 *   ──── read ────┬── read, and more may come between ──┬──── not read yet
 *              settled                                next
 * </pre>
 *
 * Settled is never after next if a limit, of the request or of the node, ended the answer. It can
 * be if everything was read: then no record is between them.
 */
final class ReadApi {
  private final RecordAnswers answers;
  private final RecordBudget.Most most;

  ReadApi(RecordAnswers answers, RecordBudget.Most most) {
    this.answers = answers;
    this.most = most;
  }

  void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.READ, ReadParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    ReadParams.Page page = ReadParams.page(request);
    QueryExecutor.Options options = QueryParams.options(request);
    answers.gather(page.query(), options, response, execution -> answer(page, execution, response));
  }

  private void answer(ReadParams.Page page, QueryExecution execution, Response response)
      throws IOException {
    Optional<Ulid> settled = page.settled(execution.stampTime());
    if (page.settledOnly() && settled.isEmpty()) {
      throw new HttpError(
          503, "nothing is settled: not every node that receives records has answered");
    }
    response.header("content-type", page.format().contentType());
    Ulid last = page.settledOnly() ? settled.orElseThrow() : Ulid.MAX;
    var output = new PageOutput(new RecordOutput(page.format(), response.body()), last);
    RecordBudget budget = most.of(execution.stats(), output);
    execution.run(budget);
    Optional<Stop> stop = budget.stop(page.query().range().until(last));
    Verdict gathered = execution.verdict();
    Verdict verdict = gathered.with(stop);
    Ulid next = output.last().orElse(page.after());
    boolean limited = stop.isPresent() || output.records() >= page.query().first();
    var positions =
        new ReadPositions(
            next,
            settled
                .filter(_ -> gathered.isComplete())
                .map(ulid -> limited && next.isBefore(ulid) ? next : ulid));
    var end = new AnswerEnd(verdict, output.records(), Optional.of(positions));
    page.format().end(end, response.body());
    positions.eachField(response::trailer);
    verdict.eachField(response::trailer);
    response.trailer(ApiHeaders.MATCHES, Long.toString(output.records()));
    ScanStats stats = execution.stats();
    response.trailer("cordwood-blocks-damaged", Long.toString(stats.blocksDamaged.get()));
  }
}

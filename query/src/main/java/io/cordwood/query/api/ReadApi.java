package io.cordwood.query.api;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.ScanStats;
import io.cordwood.query.Stop;
import io.cordwood.query.gather.Gatherer;
import io.cordwood.query.gather.Gathering;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.http.AnswerEnd;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.ReadPositions;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code GET /read}: the records behind a position, oldest first, streamed; {@link ReadParams}
 * reads the parameters. Two positions go with the answer, in trailers and as the last object of
 * JSON; each is what to give as {@code from_ulid} next:
 *
 * <pre>
 *   cordwood-next-ulid      of the last record given: to read on at once
 *   cordwood-settled-ulid   what is up to here can only be followed by what is late: to resume from
 *                           when what is behind it may be read again. Only if every node that
 *                           receives has answered, and nothing before it was left out
 *
 *   ──── read ────┬── read, and more may come between ──┬──── not read yet
 *              settled                                next
 * </pre>
 *
 * Settled is never behind next if a limit, asked for or the node's own, ended the answer. It can be
 * if all was read: then nothing is between.
 */
final class ReadApi {
  private final Gatherer gatherer;
  private final QueryGate gate;
  private final RecordBudget.Most most;

  ReadApi(Gatherer gatherer, QueryGate gate, RecordBudget.Most most) {
    this.gatherer = gatherer;
    this.gate = gate;
    this.most = most;
  }

  void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.READ, ReadParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    ReadParams.Page page = ReadParams.page(request);
    Gatherer.Manner manner = QueryParams.manner(request);
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          try (Gathering gathering =
              gatherer.gather(page.query(), manner, stats, response::clientGone)) {
            answer(page, gathering, response);
          }
        });
  }

  private void answer(ReadParams.Page page, Gathering gathering, Response response)
      throws IOException {
    Optional<Ulid> settled = page.settled(gathering.stampTime());
    if (page.settledOnly() && settled.isEmpty()) {
      throw new HttpError(
          503, "nothing is settled: not every node that receives records has answered");
    }
    response.header("content-type", page.format().contentType());
    Ulid last = page.settledOnly() ? settled.orElseThrow() : Ulid.MAX;
    var output = new PageOutput(new RecordOutput(page.format(), response.body()), last);
    RecordBudget budget = most.of(gathering.stats(), output);
    gathering.run(budget);
    Optional<Stop> stop = budget.stop(page.query().range().until(last));
    Verdict gathered = gathering.verdict();
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
    response.trailer("cordwood-matches", Long.toString(output.records()));
    ScanStats stats = gathering.stats();
    response.trailer("cordwood-blocks-damaged", Long.toString(stats.blocksDamaged.get()));
  }
}

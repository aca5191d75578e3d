package io.cordwood.query;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.OutputStream;

/**
 * {@code GET /read}: the records behind a position, oldest first, streamed; {@link ReadParams}
 * reads the parameters. Two positions go with the answer, in trailers and as the last object of
 * JSON; each is what to give as {@code from_ulid} next:
 *
 * <pre>
 *   cordwood-next-ulid      of the last record given: to read on at once
 *   cordwood-settled-ulid   what is up to here can only be followed by what is late: to resume from
 *                           when what is behind it may be read again. Only of a node that receives
 *
 *   ──── read ────┬── read, and more may come between ──┬──── not read yet
 *              settled                                next
 * </pre>
 *
 * Settled is never behind next if the limit ended the answer. It can be if all was read: then
 * nothing is between.
 */
final class ReadApi {
  private final QueryRunner runner;
  private final QueryGate gate;
  private final ReadParams params;

  ReadApi(QueryRunner runner, QueryGate gate, ReadParams params) {
    this.runner = runner;
    this.gate = gate;
    this.params = params;
  }

  void addRoutes(Routes routes) {
    routes.get(ApiPaths.READ, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    ReadParams.Page page = params.page(request);
    var stats = new ScanStats();
    gate.run(stats, () -> answer(page, stats, response));
  }

  private void answer(ReadParams.Page page, ScanStats stats, Response response) throws IOException {
    response.header("content-type", page.format().contentType());
    OutputStream out = response.body();
    Ulid[] next = {page.after()};
    if (page.query().isPresent()) {
      runner.run(
          page.query().get(),
          stats,
          response::clientGone,
          (hits, group) -> {
            page.format().write(hits, group, out);
            next[0] = hits.ulid(group, group.to() - 1);
            return true;
          });
    }
    ReadPositions positions = page.positions(next[0], stats.matches.get());
    page.format().end(positions, out);
    positions.eachField(response::trailer);
    response.trailer("cordwood-matches", Long.toString(stats.matches.get()));
    response.trailer("cordwood-blocks-damaged", Long.toString(stats.blocksDamaged.get()));
  }
}

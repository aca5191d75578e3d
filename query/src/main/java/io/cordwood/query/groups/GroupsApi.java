package io.cordwood.query.groups;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.groups.GroupsParams.Wanted;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.StatisticsFields;
import io.cordwood.query.result.ScanStats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;

/**
 * {@code GET /stats}: how many records there are by the values of fields, and sums and percentiles
 * of others; {@link GroupsParams} reads the parameters. Nodes count the batches that they hold, and
 * what is on several nodes is taken once, as by {@code /query}.
 */
public final class GroupsApi {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final GroupsParams params;
  private final QueryExecutor executor;
  private final QueryGate gate;
  private final Counter cut;

  public GroupsApi(
      QueryParams params, QueryExecutor executor, QueryGate gate, MeterRegistry meters) {
    this.params = new GroupsParams(params);
    this.executor = executor;
    this.gate = gate;
    this.cut =
        Counter.builder("cordwood.query.groups.cut")
            .description("Records that were in no group of an answer, which had no room for it")
            .register(meters);
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.STATS, GroupsParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Wanted wanted = params.wanted(request);
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          var multiPassQuery =
              new MultiPassQuery(executor, wanted.manner(), stats, response::clientGone);
          var groups = new Groups(wanted.form().grouping(), wanted.every().toMillis());
          response.header("content-type", wanted.form().json() ? JsonLines.TYPE : TEXT);
          multiPassQuery.gather(wanted.query(), groups::add);
          cut.increment(groups.others());
          new GroupsOutput(wanted.form(), response.body()).write(groups);
          end(groups, multiPassQuery.verdict(), stats.snapshot(), wanted.form().json(), response);
        });
  }

  private static void end(
      Groups groups, Verdict verdict, ScanStats.Snapshot stats, boolean json, Response response)
      throws IOException {
    if (json) {
      JsonLines.writeVerdict(verdict, groups.records(), response.body());
    }
    verdict.eachField(response::trailer);
    response.trailer("cordwood-matches", Long.toString(groups.records()));
    response.trailer("cordwood-groups-cut", Long.toString(groups.others()));
    StatisticsFields.each(stats, response::trailer);
  }
}

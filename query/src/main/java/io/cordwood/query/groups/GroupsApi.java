package io.cordwood.query.groups;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.groups.GroupsParams.Wanted;
import io.cordwood.query.http.OwnQuestion;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TableAnswers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BiConsumer;

/**
 * {@code GET /stats}: how many records there are by the values of fields, and sums and percentiles
 * of others; {@code GET /fields}: which fields records have. {@link GroupsParams} reads the
 * parameters. Nodes count the batches that they hold, and what is on several nodes is taken once,
 * as by {@code /query}.
 */
public final class GroupsApi {
  private final GroupsParams params;
  private final TableAnswers tables;
  private final Counter cut;

  public GroupsApi(QueryParams params, TableAnswers tables, MeterRegistry meters) {
    this.params = new GroupsParams(params);
    this.tables = tables;
    this.cut = meters.counter("cordwood.query.groups.cut");
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(
        ApiPaths.STATS,
        GroupsParams.ALL,
        (request, response) -> answer(params.wanted(request), request, response));
    routes.getOrForm(
        ApiPaths.FIELDS,
        GroupsParams.OF_FIELDS,
        (request, response) -> answer(params.fields(request), request, response));
  }

  private void answer(Wanted wanted, Request request, Response response) throws IOException {
    tables.answer(
        request, response, (query, _) -> write(wanted, query, response.body(), response::trailer));
  }

  /** Reads a question that the node asks itself. */
  public OwnQuestion own(String query) {
    Wanted wanted = params.wanted(Request.ofOwn(ApiPaths.STATS, GroupsParams.ALL, query));
    return (passes, out, field) -> write(wanted, passes, out, field);
  }

  private long write(
      Wanted wanted, MultiPassQuery query, OutputStream out, BiConsumer<String, String> field)
      throws IOException {
    var groups =
        new Groups(wanted.form().grouping(), wanted.form().sizeOfSets(), wanted.every().toMillis());
    query.gather(wanted.query(), groups::add);
    cut.increment(groups.others());
    new GroupsOutput(wanted.form(), out).write(groups);
    field.accept("cordwood-groups-cut", Long.toString(groups.others()));
    if (groups.error() > 0) {
      field.accept("cordwood-distinct-error", Double.toString(groups.error()));
    }
    return groups.records();
  }
}

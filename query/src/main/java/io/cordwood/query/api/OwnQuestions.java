package io.cordwood.query.api;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.groups.GroupsApi;
import io.cordwood.query.http.OwnQuestion;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.ScanStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Questions of a node to itself, answered as those of clients are: from the whole cluster, within
 * the limits of any query, and with a verdict. For all threads.
 */
public final class OwnQuestions {
  private final QueryExecutor executor;
  private final QueryParams params;
  private final GroupsApi groups;
  private final QueryGate gate;

  OwnQuestions(QueryExecutor executor, QueryParams params, GroupsApi groups, QueryGate gate) {
    this.executor = executor;
    this.params = params;
    this.groups = groups;
    this.gate = gate;
  }

  /**
   * An answer.
   *
   * @param body as over HTTP; empty for a number
   * @param fields as the trailers would have them
   */
  public record Answer(byte[] body, Map<String, String> fields) {}

  /**
   * The number of records, as a field.
   *
   * @param query parameters of {@code /query}, encoded
   * @param limit what has not come by then is missing
   * @param abandoned whether nobody wants the answer any more
   * @throws HttpError if a parameter is wrong, or the query is refused
   */
  public Answer count(String query, Duration limit, BooleanSupplier abandoned) throws IOException {
    Query asked = params.query(Request.ofOwn(ApiPaths.QUERY, QueryParams.ALL, query));
    var stats = new ScanStats();
    return answer(
        stats,
        limit,
        abandoned,
        (passes, _, _) -> {
          if (asked.countsAll()) {
            return CountAnswer.byIndex(asked, passes);
          }
          passes.gather(asked, (_, _) -> true);
          return stats.matches.get();
        });
  }

  /**
   * Records by fields.
   *
   * @param query parameters of {@code /stats}, encoded
   * @param limit what has not come by then is missing
   * @param abandoned whether nobody wants the answer any more
   * @throws HttpError if a parameter is wrong, or the query is refused
   */
  public Answer stats(String query, Duration limit, BooleanSupplier abandoned) throws IOException {
    return answer(new ScanStats(), limit, abandoned, groups.own(query));
  }

  private Answer answer(
      ScanStats stats, Duration limit, BooleanSupplier abandoned, OwnQuestion question)
      throws IOException {
    var options = new QueryExecutor.Options(false, Optional.of(limit), false);
    Map<String, String> fields = new TreeMap<>();
    var body = new ByteArrayOutputStream();
    gate.run(
        stats,
        () -> {
          var passes = new MultiPassQuery(executor, options, stats, abandoned);
          long matches = question.answer(passes, body, fields::put);
          passes.verdict().eachField(fields::put);
          fields.put(ApiHeaders.MATCHES, Long.toString(matches));
        });
    return new Answer(body.toByteArray(), fields);
  }
}

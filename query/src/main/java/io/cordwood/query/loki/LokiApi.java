package io.cordwood.query.loki;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Handler;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.match.RefusedException;
import io.cordwood.query.scan.AnswerMemory;
import io.cordwood.query.tail.Tails;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import tools.jackson.core.JsonGenerator;

/**
 * Answers clients of Loki that read: {@code GET /loki/api/v1/…}, or a form by {@code POST}. {@link
 * LokiParams} reads the parameters.
 */
public final class LokiApi {
  /** The answers are those of this version. */
  private static final String VERSION = "3.0.0";

  private final LokiAnswers answers;
  private final CatalogApi catalog;
  private final DetectedApi detected;
  private final AnswerMemory memory;
  private final LokiParams params;
  private final LiveTail tail;
  private final Refusals refusals;

  /**
   * @param memory in which records are held until all of an answer are found
   */
  public LokiApi(
      QueryExecutor executor,
      QueryGate gate,
      AnswerMemory memory,
      Tails tails,
      InstantSource clock,
      MeterRegistry meters) {
    this.answers = new LokiAnswers(executor, gate, memory);
    this.memory = memory;
    this.params = new LokiParams(clock);
    this.catalog = new CatalogApi(answers, params);
    this.detected = new DetectedApi(answers, params);
    this.refusals = new Refusals(meters);
    this.tail = new LiveTail(executor, gate, tails, params, refusals);
  }

  public void addRoutes(Routes routes) {
    on(routes, ApiPaths.LOKI_QUERY_RANGE, this::queryRange);
    on(routes, ApiPaths.LOKI_QUERY, this::query);
    on(routes, ApiPaths.LOKI_LABELS, catalog::labels);
    on(routes, ApiPaths.LOKI_LABEL, catalog::labels);
    on(routes, ApiPaths.LOKI_VALUES, catalog::values);
    on(routes, ApiPaths.LOKI_SERIES, catalog::series);
    on(routes, ApiPaths.LOKI_STATS, catalog::stats);
    on(routes, ApiPaths.LOKI_VOLUME, catalog::volume);
    on(routes, ApiPaths.LOKI_VOLUME_RANGE, catalog::volumeRange);
    on(routes, ApiPaths.LOKI_DETECTED_LABELS, detected::labels);
    on(routes, ApiPaths.LOKI_DETECTED_FIELDS, detected::fields);
    on(routes, ApiPaths.LOKI_DETECTED_VALUES, detected::values);
    on(routes, ApiPaths.LOKI_PATTERNS, detected::patterns);
    on(routes, ApiPaths.LOKI_DRILLDOWN, DetectedApi::limits);
    routes.get(ApiPaths.LOKI_TAIL, Params.ANY, bounded(tail::answer));
    on(routes, ApiPaths.LOKI_FORMAT_QUERY, LokiApi::formatQuery);
    on(routes, ApiPaths.LOKI_BUILD, LokiApi::build);
    on(routes, ApiPaths.LOKI_OTHER, LokiApi::unknown);
  }

  /** Answers what is refused only once records are found, and counts what is too much. */
  private Handler bounded(Handler handler) {
    return (request, response) -> {
      try {
        handler.handle(request, response);
      } catch (RefusedException e) {
        throw refusals.count(LokiParams.refused("query", e));
      } catch (LimitException e) {
        throw refusals.count(e);
      }
    };
  }

  private void on(Routes routes, String path, Handler handler) {
    routes.getOrForm(path, Params.ANY, bounded(handler));
  }

  private void queryRange(Request request, Response response) throws IOException {
    Expr expr = LokiParams.query(request, Logql::parse);
    if (expr instanceof Expr.Logs logs) {
      records(logs, request, response);
      return;
    }
    Grid grid = params.grid(request);
    NumberAnswer.answer(answers, request, response, expr, grid, false);
  }

  private void query(Request request, Response response) throws IOException {
    Expr expr = LokiParams.query(request, Logql::parse);
    if (expr instanceof Expr.Logs) {
      throw new HttpError(
          400, "parameter query: expected numbers, found records: those are for query_range");
    }
    Grid grid = Grid.at(params.time(request));
    NumberAnswer.answer(answers, request, response, expr, grid, true);
  }

  private void records(Expr.Logs logs, Request request, Response response) throws IOException {
    Selected selected = LokiParams.checked("query", () -> Selected.of(logs));
    LokiParams.Times times = params.times(request);
    LokiParams.checkNoInterval(request);
    boolean categorize = LokiParams.categorizes(request);
    long limit = LokiParams.limit(request, LogAnswer.MAX);
    try (var found = new LogAnswer(memory, selected, limit, LokiParams.forward(request))) {
      answers.answer(
          request,
          response,
          questions -> {
            var range = times.range();
            if (range.isPresent()) {
              found.find(questions, range.get());
            }
            return json -> streams(found, categorize, json);
          });
    }
  }

  private static void streams(LogAnswer found, boolean categorize, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("resultType", "streams");
    if (categorize) {
      LokiJson.writeFlags(json);
    }
    json.writeName("result");
    found.write(categorize, json);
    LokiJson.writeStats(found.size(), json);
    json.writeEndObject();
  }

  private static void formatQuery(Request request, Response response) throws IOException {
    Expr expr = LokiParams.query(request, Logql::parse);
    response.header("content-type", LokiJson.TYPE);
    JsonLines.write(
        response.body(),
        json -> {
          json.writeStringProperty("status", "success");
          json.writeStringProperty("data", expr.toString());
        });
  }

  private static void build(Request request, Response response) throws IOException {
    response.header("content-type", LokiJson.TYPE);
    JsonLines.write(
        response.body(),
        json -> {
          json.writeStringProperty("version", VERSION);
          json.writeStringProperty("revision", "");
          json.writeStringProperty("branch", "cordwood");
          json.writeStringProperty("buildUser", "");
          json.writeStringProperty("buildDate", "");
          json.writeStringProperty("goVersion", "");
        });
  }

  /** Clients take an answer that is no JSON for a server of another kind. */
  private static void unknown(Request request, Response response) throws IOException {
    response.status(404).header("content-type", LokiJson.TYPE);
    JsonLines.write(
        response.body(),
        json -> {
          json.writeStringProperty("status", "error");
          json.writeStringProperty("errorType", "not_found");
          json.writeStringProperty("error", "not supported: docs/grafana.md has what is");
        });
  }
}

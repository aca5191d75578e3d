package io.cordwood.query.loki;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Handler;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.StatisticsFields;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.AnswerMemory;
import io.cordwood.query.tail.Tails;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Answers clients of Loki that read: {@code GET /loki/api/v1/…}, or a form by {@code POST}. {@link
 * LokiParams} reads the parameters.
 */
public final class LokiApi {
  /** The answers are those of this version. */
  private static final String VERSION = "3.0.0";

  private final QueryExecutor executor;
  private final QueryGate gate;
  private final AnswerMemory memory;
  private final LokiParams params;
  private final LiveTail tail;

  /**
   * @param memory in which records are held until all of an answer are found
   */
  public LokiApi(
      QueryExecutor executor,
      QueryGate gate,
      AnswerMemory memory,
      Tails tails,
      InstantSource clock) {
    this.executor = executor;
    this.gate = gate;
    this.memory = memory;
    this.params = new LokiParams(clock);
    this.tail = new LiveTail(executor, tails, params);
  }

  public void addRoutes(Routes routes) {
    on(routes, ApiPaths.LOKI_QUERY_RANGE, this::queryRange);
    on(routes, ApiPaths.LOKI_QUERY, this::query);
    on(routes, ApiPaths.LOKI_LABELS, this::labels);
    on(routes, ApiPaths.LOKI_LABEL, this::labels);
    on(routes, ApiPaths.LOKI_VALUES, this::values);
    on(routes, ApiPaths.LOKI_SERIES, this::series);
    on(routes, ApiPaths.LOKI_STATS, this::stats);
    on(routes, ApiPaths.LOKI_VOLUME, (request, response) -> volume(request, response, true));
    on(routes, ApiPaths.LOKI_VOLUME_RANGE, (request, response) -> volume(request, response, false));
    routes.get(ApiPaths.LOKI_TAIL, Params.ANY, ofTenant(tail::answer));
    on(routes, ApiPaths.LOKI_FORMAT_QUERY, LokiApi::formatQuery);
    on(routes, ApiPaths.LOKI_BUILD, LokiApi::build);
    on(routes, ApiPaths.LOKI_OTHER, LokiApi::unknown);
  }

  private static Handler ofTenant(Handler handler) {
    return (request, response) -> {
      LokiParams.checkTenant(request);
      handler.handle(request, response);
    };
  }

  private static void on(Routes routes, String path, Handler handler) {
    routes.getOrForm(path, Params.ANY, ofTenant(handler));
  }

  /** Gathers, and writes the properties of data. */
  @FunctionalInterface
  private interface Answer {
    Data find(Questions questions) throws IOException;
  }

  /** Writes what stands in an answer's data, or is it. */
  @FunctionalInterface
  private interface Data {
    void write(JsonGenerator json) throws IOException;
  }

  private void answer(Request request, Response response, Answer answer) throws IOException {
    var manner = new QueryExecutor.Manner(false, Optional.empty(), false);
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          var passes = new MultiPassQuery(executor, manner, stats, response::clientGone);
          Data data = answer.find(new Questions(request, passes));
          response.header("content-type", LokiJson.TYPE);
          try (JsonGenerator json = JsonLines.generator(response.body())) {
            json.writeStartObject();
            json.writeStringProperty("status", "success");
            json.writeName("data");
            data.write(json);
            passes.said().ifPresent(verdict -> LokiJson.warn(verdict, json));
            json.writeEndObject();
          }
          passes.said().ifPresent(verdict -> verdict.eachField(response::trailer));
          StatisticsFields.each(stats.snapshot(), response::trailer);
        });
  }

  private void queryRange(Request request, Response response) throws IOException {
    Expr expr = LokiParams.query(request, Logql::parse);
    if (expr instanceof Expr.Logs logs) {
      records(logs, request, response);
      return;
    }
    Grid grid = params.grid(request);
    answer(request, response, questions -> numbers(expr, grid, false, questions));
  }

  private void query(Request request, Response response) throws IOException {
    Expr expr = LokiParams.query(request, Logql::parse);
    if (expr instanceof Expr.Logs) {
      throw new HttpError(
          400, "parameter query: expected numbers, found records: those are for query_range");
    }
    Grid grid = Grid.at(params.time(request));
    answer(request, response, questions -> numbers(expr, grid, true, questions));
  }

  private static Data numbers(Expr expr, Grid grid, boolean instant, Questions questions)
      throws IOException {
    List<Series> all = new Evaluation(new Counting(questions, grid), grid).of(expr);
    boolean scalar = instant && Evaluation.isScalar(expr);
    return json -> {
      json.writeStartObject();
      if (scalar) {
        json.writeStringProperty("resultType", "scalar");
        json.writeName("result");
        LokiJson.write(grid.nanos(0), all.getFirst().values()[0], json);
      } else {
        LokiJson.write(Evaluation.ordered(all, expr, instant), grid, instant, json);
      }
      stats(0, json);
      json.writeEndObject();
    };
  }

  private void records(Expr.Logs logs, Request request, Response response) throws IOException {
    Selected selected = LokiParams.checked("query", () -> Selected.of(logs));
    LokiParams.Times times = params.times(request);
    boolean categorize = LokiParams.categorizes(request);
    long limit = LokiParams.limit(request, LogAnswer.MAX);
    try (var found = new LogAnswer(memory, limit, LokiParams.forward(request))) {
      answer(
          request,
          response,
          questions -> {
            var range = LokiTime.range(times.start(), times.end());
            if (range.isPresent()) {
              found.find(questions, selected, range.get());
            }
            return json -> streams(found, selected, categorize, json);
          });
    }
  }

  private static void streams(
      LogAnswer found, Selected selected, boolean categorize, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("resultType", "streams");
    if (categorize) {
      LokiJson.writeFlags(json);
    }
    json.writeName("result");
    found.write(selected.changes(), categorize, json);
    stats(found.size(), json);
    json.writeEndObject();
  }

  private static void stats(int records, JsonGenerator json) {
    json.writeObjectPropertyStart("stats");
    json.writeObjectPropertyStart("summary");
    json.writeNumberProperty("totalEntriesReturned", records);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void labels(Request request, Response response) throws IOException {
    Optional<Selected> selected = selected(request);
    catalog(
        request,
        response,
        catalog ->
            selected.isEmpty()
                ? catalog.names()
                : catalog.streams(selected.get()).keySet().stream()
                    .flatMap(stream -> stream.keySet().stream())
                    .sorted()
                    .distinct()
                    .toList());
  }

  private void values(Request request, Response response) throws IOException {
    String name = Catalog.checkName(request.variable());
    Optional<Selected> selected = selected(request);
    catalog(
        request,
        response,
        catalog ->
            selected.isEmpty()
                ? catalog.values(name)
                : catalog.streams(selected.get()).keySet().stream()
                    .flatMap(stream -> Stream.ofNullable(stream.get(name)))
                    .sorted()
                    .distinct()
                    .toList());
  }

  /** Names of a catalog. */
  @FunctionalInterface
  private interface Names {
    Collection<String> of(Catalog catalog) throws IOException;
  }

  private void catalog(Request request, Response response, Names names) throws IOException {
    LokiParams.Times times = params.times(request);
    answer(
        request,
        response,
        questions -> {
          var range = LokiTime.range(times.start(), times.end());
          Collection<String> all =
              range.isEmpty() ? List.of() : names.of(new Catalog(questions, range.get()));
          return json -> {
            json.writeStartArray();
            all.forEach(json::writeString);
            json.writeEndArray();
          };
        });
  }

  /** The selection of a query, if there is one that leaves something out. */
  private static Optional<Selected> selected(Request request) {
    return request
        .param("query")
        .filter(text -> !text.isBlank())
        .map(text -> LokiParams.checked("query", () -> Logql.logs(text)))
        .filter(logs -> !logs.selector().isEmpty() || !logs.stages().isEmpty())
        .map(logs -> LokiParams.checked("query", () -> Selected.of(logs)));
  }

  private void series(Request request, Response response) throws IOException {
    List<String> texts =
        Stream.of("match[]", "match").flatMap(name -> request.params(name).stream()).toList();
    List<Selected> some =
        (texts.isEmpty() ? List.of("{}") : texts)
            .stream()
                .map(text -> LokiParams.checked("match", () -> Selected.of(Logql.logs(text))))
                .toList();
    LokiParams.Times times = params.times(request);
    answer(
        request,
        response,
        questions -> {
          var range = LokiTime.range(times.start(), times.end());
          Set<SortedMap<String, String>> streams = new LinkedHashSet<>();
          for (Selected selected : range.isEmpty() ? List.<Selected>of() : some) {
            streams.addAll(new Catalog(questions, range.get()).streams(selected).keySet());
          }
          return json -> {
            json.writeStartArray();
            streams.forEach(stream -> {
              json.writeStartObject();
              stream.forEach(json::writeStringProperty);
              json.writeEndObject();
            });
            json.writeEndArray();
          };
        });
  }

  /** Flat, unlike others. */
  private void stats(Request request, Response response) throws IOException {
    Selected selected = LokiParams.query(request, text -> Selected.of(Logql.logs(text)));
    LokiParams.Times times = params.times(request);
    var stats = new ScanStats();
    var manner = new QueryExecutor.Manner(false, Optional.empty(), false);
    gate.run(
        stats,
        () -> {
          var passes = new MultiPassQuery(executor, manner, stats, response::clientGone);
          var range = LokiTime.range(times.start(), times.end());
          var size =
              range.isEmpty()
                  ? Catalog.Size.NONE
                  : new Catalog(new Questions(request, passes), range.get()).size(selected);
          response.header("content-type", LokiJson.TYPE);
          JsonLines.write(
              response.body(),
              json -> {
                json.writeNumberProperty("streams", size.streams());
                json.writeNumberProperty("chunks", size.streams());
                json.writeNumberProperty("bytes", size.bytes());
                json.writeNumberProperty("entries", size.records());
              });
        });
  }

  private void volume(Request request, Response response, boolean instant) throws IOException {
    Expr.Logs logs = LokiParams.query(request, Logql::logs);
    LokiParams.Times times = params.times(request);
    // Its end is no part of a time that is asked for, but a point is one of the range before it.
    Grid grid = instant ? Grid.at(times.end() - 1) : params.grid(request);
    long nanos = instant ? times.end() - times.start() : grid.stepNanos();
    String targets = request.param("targetLabels").orElse("");
    long most = LokiParams.limit(request, LogAnswer.MAX);
    List<String> names =
        targets.isBlank()
            ? logs.labels()
            : Stream.of(targets.split(",", -1)).map(String::strip).distinct().toList();
    Expr expr = Expr.topBytes(logs, names, Duration.ofNanos(nanos), (int) most);
    answer(request, response, questions -> numbers(expr, grid, instant, questions));
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

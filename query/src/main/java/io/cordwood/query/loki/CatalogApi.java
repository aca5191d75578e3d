package io.cordwood.query.loki;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Answers which labels and streams there are, and how much of them. */
record CatalogApi(LokiAnswers answers, LokiParams params) {
  void labels(Request request, Response response) throws IOException {
    catalog(request, response, Catalog::names, stream -> stream.keySet().stream());
  }

  void values(Request request, Response response) throws IOException {
    String name = Catalog.checkName(request.variable());
    catalog(
        request,
        response,
        catalog -> catalog.values(name),
        stream -> Stream.ofNullable(stream.get(name)));
  }

  /**
   * Answers names.
   *
   * @param whole if all is asked for
   * @param ofStream of each stream that is selected, otherwise
   */
  private void catalog(
      Request request,
      Response response,
      Catalog.Asked<Collection<String>> whole,
      Function<SortedMap<String, String>, Stream<String>> ofStream)
      throws IOException {
    Optional<Selected> selected = selected(request);
    Catalog.Asked<Collection<String>> names =
        selected.isEmpty() ? whole : catalog -> ofStreams(catalog, selected.get(), ofStream);
    LokiParams.Times times = params.times(request);
    answers.answer(
        request,
        response,
        questions -> {
          Collection<String> all = Catalog.ask(questions, times.range(), List.of(), names);
          return json -> {
            json.writeStartArray();
            all.forEach(json::writeString);
            json.writeEndArray();
          };
        });
  }

  private static List<String> ofStreams(
      Catalog catalog,
      Selected selected,
      Function<SortedMap<String, String>, Stream<String>> ofStream)
      throws IOException {
    return catalog.streams(selected).keySet().stream()
        .flatMap(ofStream)
        .sorted()
        .distinct()
        .toList();
  }

  /** The selection of a query, if there is one that leaves something out. */
  static Optional<Selected> selected(Request request) {
    return request
        .param("query")
        .filter(text -> !text.isBlank())
        .map(text -> LokiParams.checked("query", () -> Logql.logs(text)))
        .filter(logs -> !logs.selector().isEmpty() || !logs.stages().isEmpty())
        .map(logs -> LokiParams.checked("query", () -> Selected.of(logs)));
  }

  void series(Request request, Response response) throws IOException {
    List<String> texts =
        Stream.of("match[]", "match").flatMap(name -> request.params(name).stream()).toList();
    List<Selected> some =
        (texts.isEmpty() ? List.of("{}") : texts)
            .stream()
                .map(text -> LokiParams.checked("match", () -> Selected.of(Logql.logs(text))))
                .toList();
    LokiParams.Times times = params.times(request);
    answers.answer(
        request,
        response,
        questions -> {
          Set<SortedMap<String, String>> streams =
              Catalog.ask(questions, times.range(), Set.of(), catalog -> streams(catalog, some));
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

  private static Set<SortedMap<String, String>> streams(Catalog catalog, List<Selected> some)
      throws IOException {
    Set<SortedMap<String, String>> streams = new LinkedHashSet<>();
    for (Selected selected : some) {
      streams.addAll(catalog.streams(selected).keySet());
    }
    return streams;
  }

  void stats(Request request, Response response) throws IOException {
    Selected selected = LokiParams.query(request, text -> Selected.of(Logql.logs(text)));
    LokiParams.Times times = params.times(request);
    answers.properties(
        request,
        response,
        questions -> {
          Catalog.Size size =
              Catalog.ask(
                  questions, times.range(), Catalog.Size.NONE, catalog -> catalog.size(selected));
          return json -> {
            json.writeNumberProperty("streams", size.streams());
            json.writeNumberProperty("chunks", size.streams());
            json.writeNumberProperty("bytes", size.bytes());
            json.writeNumberProperty("entries", size.records());
          };
        });
  }

  void volume(Request request, Response response) throws IOException {
    volume(request, response, true);
  }

  void volumeRange(Request request, Response response) throws IOException {
    volume(request, response, false);
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
    NumberAnswer.answer(answers, request, response, expr, grid, instant);
  }
}

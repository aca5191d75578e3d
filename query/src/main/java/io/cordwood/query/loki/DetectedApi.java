package io.cordwood.query.loki;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.FieldTally;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Answers what records look like: their labels and fields, and the shapes of their messages. */
record DetectedApi(LokiAnswers answers, LokiParams params) {
  /** Records that are looked at for their fields, and fields and values that are answered. */
  private static final long MAX_LIMIT = 10_000;

  private static final String LIMIT = "limit";

  /** Answers which labels there are, and how many values each has. */
  void labels(Request request, Response response) throws IOException {
    Optional<Selected> selected = CatalogApi.selected(request);
    LokiParams.Times times = params.times(request);
    answers.properties(
        request,
        response,
        questions -> {
          SortedMap<String, Integer> labels =
              Catalog.ask(
                  questions,
                  times.range(),
                  new TreeMap<>(),
                  catalog -> catalog.cardinalities(selected));
          return json -> {
            json.writeArrayPropertyStart("detectedLabels");
            labels.forEach((name, values) -> {
              json.writeStartObject();
              json.writeStringProperty("label", name);
              json.writeNumberProperty("cardinality", values);
              json.writeEndObject();
            });
            json.writeEndArray();
          };
        });
  }

  /** Answers which fields the newest records have. */
  void fields(Request request, Response response) throws IOException {
    long limit = LokiParams.limit(request, MAX_LIMIT);
    found(
        request,
        response,
        fields ->
            json -> {
              json.writeArrayPropertyStart("fields");
              fields.write(limit, json);
              json.writeEndArray();
              json.writeNumberProperty(LIMIT, limit);
            });
  }

  /** Answers which values one of them has. */
  void values(Request request, Response response) throws IOException {
    long limit = LokiParams.limit(request, MAX_LIMIT);
    String name = request.variable();
    found(
        request,
        response,
        fields ->
            json -> {
              json.writeArrayPropertyStart("values");
              fields.values(name).limit(limit).forEach(json::writeString);
              json.writeEndArray();
              json.writeNumberProperty(LIMIT, limit);
            });
  }

  /** Writes something of the fields that were found. */
  @FunctionalInterface
  private interface Written {
    LokiAnswers.Data of(DetectedFields fields);
  }

  private void found(Request request, Response response, Written written) throws IOException {
    Selected selected = LokiParams.query(request, text -> Selected.of(Logql.logs(text)));
    LokiParams.Times times = params.times(request);
    long most = LokiParams.limit(request, "line_limit", MAX_LIMIT);
    answers.properties(
        request,
        response,
        questions -> {
          var fields = new DetectedFields();
          Optional<UlidRange> range = times.range();
          if (range.isPresent()) {
            for (Query query : questions.of(selected, range.get(), Detail.BYTES)) {
              questions
                  .passes()
                  .gather(
                      query.within(range.get(), most), (hits, group) -> fields.add(hits, group));
            }
          }
          return written.of(fields);
        });
  }

  /** Answers how many records had which shape, by time. */
  void patterns(Request request, Response response) throws IOException {
    Selected selected = LokiParams.query(request, text -> Selected.of(Logql.logs(text)));
    Grid grid = params.grid(request);
    LokiParams.Times times = params.times(request);
    answers.answer(
        request,
        response,
        questions -> {
          var shapes = new Shapes(grid);
          Optional<UlidRange> range = times.range();
          if (range.isPresent()) {
            var shape = GroupField.parse(GroupField.SHAPE, Extract.NONE);
            for (Query query : questions.of(selected, range.get(), Detail.FIELD_SETS)) {
              Query tallied = query.groupedBy(Grouping.by(List.of(shape)));
              questions
                  .passes()
                  .gather(
                      tallied,
                      (hits, group) -> {
                        for (int hit = group.from(); hit < group.to(); hit++) {
                          FieldTally.read(
                              hits.record(hit), tallied.grouping(), shapes.at(group.first()));
                        }
                        return true;
                      });
            }
          }
          return shapes::write;
        });
  }

  /** Tells Logs Drilldown for what it may ask. */
  static void limits(Request request, Response response) throws IOException {
    response.header("content-type", LokiJson.TYPE);
    JsonLines.write(
        response.body(),
        json -> {
          json.writeObjectPropertyStart("limits");
          json.writeArrayPropertyStart("discover_service_name");
          json.writeEndArray();
          json.writeArrayPropertyStart("log_level_fields");
          List.of("level", "severity").forEach(json::writeString);
          json.writeEndArray();
          json.writeStringProperty("retention_period", "0s");
          json.writeStringProperty("max_query_range", "0s");
          json.writeNumberProperty("max_entries_limit_per_query", LogAnswer.MAX);
          json.writeBooleanProperty("volume_enabled", true);
          json.writeEndObject();
          json.writeBooleanProperty("pattern_ingester_enabled", true);
        });
  }
}

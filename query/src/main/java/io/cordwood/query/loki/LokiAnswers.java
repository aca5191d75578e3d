package io.cordwood.query.loki;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.StatisticsFields;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.AnswerMemory;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Gathers what is asked for, and answers it in JSON, with the verdict on it. */
record LokiAnswers(QueryExecutor executor, QueryGate gate, AnswerMemory memory) {
  /** Gathers. */
  @FunctionalInterface
  interface Answer {
    Data find(Questions questions) throws IOException;
  }

  /** Writes what was found. */
  @FunctionalInterface
  interface Data {
    void write(JsonGenerator json) throws IOException;
  }

  /** Answers data as most are: in an object, after a status. */
  void answer(Request request, Response response, Answer answer) throws IOException {
    properties(
        request,
        response,
        questions -> {
          Data data = answer.find(questions);
          return json -> {
            json.writeStringProperty("status", "success");
            json.writeName("data");
            data.write(json);
          };
        });
  }

  /** Answers an object of which the data are properties. */
  void properties(Request request, Response response, Answer answer) throws IOException {
    var options = new QueryExecutor.Options(false, Optional.empty(), false);
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          var passes = new MultiPassQuery(executor, options, stats, response::clientGone);
          Data data = answer.find(new Questions(request, passes));
          response.header("content-type", LokiJson.TYPE);
          try (JsonGenerator json = JsonLines.generator(response.body())) {
            json.writeStartObject();
            data.write(json);
            passes.said().ifPresent(verdict -> LokiJson.warn(verdict, json));
            json.writeEndObject();
          }
          passes.said().ifPresent(verdict -> verdict.eachField(response::trailer));
          StatisticsFields.each(stats.snapshot(), response::trailer);
        });
  }
}

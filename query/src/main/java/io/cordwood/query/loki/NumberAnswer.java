package io.cordwood.query.loki;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.query.logql.Expr;
import java.io.IOException;
import java.util.List;

/** Answers with what an expression counts to: series, or one number. */
final class NumberAnswer {
  private NumberAnswer() {}

  /**
   * Counts and answers.
   *
   * @param instant whether one moment is asked for
   */
  static void answer(
      LokiAnswers answers,
      Request request,
      Response response,
      Expr expr,
      Grid grid,
      boolean instant)
      throws IOException {
    try (var held = new SeriesMemory(answers.memory())) {
      answers.answer(request, response, questions -> of(expr, grid, instant, questions, held));
    }
  }

  private static LokiAnswers.Data of(
      Expr expr, Grid grid, boolean instant, Questions questions, SeriesMemory memory)
      throws IOException {
    List<Series> all = new Evaluation(new Counting(questions, grid, memory), grid).of(expr);
    boolean scalar = instant && Expr.isNumber(expr);
    return json -> {
      json.writeStartObject();
      if (scalar) {
        json.writeStringProperty("resultType", "scalar");
        json.writeName("result");
        LokiJson.write(grid.nanos(0), all.getFirst().values()[0], json);
      } else {
        LokiJson.write(Evaluation.ordered(all, expr, instant), grid, instant, json);
      }
      LokiJson.writeStats(0, json);
      json.writeEndObject();
    };
  }
}

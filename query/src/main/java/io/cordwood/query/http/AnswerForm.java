package io.cordwood.query.http;

import io.cordwood.common.http.server.Request;
import io.cordwood.query.gather.Verdict;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The form of an answer that is no records.
 *
 * @param verdictLine whether text ends with a line that has the verdict
 */
public record AnswerForm(AnswerKind kind, boolean verdictLine) {
  /** The form that the parameters and headers ask for, but no table. */
  public static AnswerForm of(Request request) {
    return new AnswerForm(QueryParams.kind(request, false), QueryParams.hasVerdict(request));
  }

  /** That of a table. */
  public static AnswerForm ofTable(Request request) {
    return new AnswerForm(QueryParams.kind(request, true), QueryParams.hasVerdict(request));
  }

  public boolean json() {
    return kind == AnswerKind.JSON;
  }

  /** The media type. */
  public String type() {
    return switch (kind) {
      case TEXT -> TextFormat.TYPE;
      case JSON -> JsonLines.TYPE;
      case CSV -> "text/csv; charset=utf-8; header=present";
    };
  }

  /** Ends an answer with its verdict, where the form has one. */
  public void end(Verdict verdict, long matches, OutputStream out) throws IOException {
    if (json()) {
      JsonLines.writeVerdict(verdict, matches, out);
    } else if (verdictLine) {
      JsonLines.writeVerdictToText(verdict, matches, out);
    }
  }
}

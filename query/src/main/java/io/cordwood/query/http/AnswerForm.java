package io.cordwood.query.http;

import io.cordwood.common.http.server.Request;
import io.cordwood.query.gather.Verdict;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The form of an answer that is no records.
 *
 * @param json objects, of which the last has the verdict; else text
 * @param verdictLine whether text ends with a line that has it
 */
public record AnswerForm(boolean json, boolean verdictLine) {
  /** The form that the parameters and headers ask for. */
  public static AnswerForm of(Request request) {
    return new AnswerForm(QueryParams.isJson(request), QueryParams.hasVerdict(request));
  }

  /** The media type. */
  public String type() {
    return json ? JsonLines.TYPE : TextFormat.TYPE;
  }

  /** Ends an answer with its verdict, where the form has one. */
  public void end(Verdict verdict, long matches, OutputStream out) throws IOException {
    if (json) {
      JsonLines.writeVerdict(verdict, matches, out);
    } else if (verdictLine) {
      JsonLines.writeVerdictToText(verdict, matches, out);
    }
  }
}

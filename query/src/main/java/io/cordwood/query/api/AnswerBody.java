package io.cordwood.query.api;

import io.cordwood.common.http.server.Response;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ProgressSink;
import io.cordwood.query.result.SearchProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The output for found records: the body itself, or pieces of it, with how far the search has come
 * between them. For the query's own thread.
 */
final class AnswerBody {
  private final Response response;
  private final @Nullable PieceOutput pieces;
  private BooleanSupplier taken = () -> true;

  /**
   * @param contentType of the answer in one
   * @param progress whether it is to come in pieces
   */
  AnswerBody(Response response, String contentType, boolean progress) {
    this.response = response;
    this.pieces = progress ? new PieceOutput(response.body()) : null;
    response.header("content-type", progress ? PieceOutput.TYPE : contentType);
  }

  OutputStream out() {
    return pieces == null ? response.body() : pieces;
  }

  /** Searches, and gives a sink what is found. At most once. */
  void search(QueryExecution execution, HitSink sink) throws IOException {
    PieceOutput told = pieces;
    if (told == null) {
      execution.run(sink);
      return;
    }
    var telling =
        new ProgressSink(sink, execution::progress, progress -> tell(told, execution, progress));
    execution.run(telling);
    taken = () -> true; // The last word is never left out.
    telling.end();
  }

  /** A client who has not taken the one before gets none, so they do not pile up. */
  private boolean tell(PieceOutput told, QueryExecution execution, SearchProgress progress)
      throws IOException {
    boolean wanted = taken.getAsBoolean();
    if (wanted) {
      told.progress(progress, execution.nodes(), execution.stats().matches.get());
      taken = response.taken();
    }
    return wanted;
  }

  /** To be called once, last; the body is still to be closed. */
  void end() throws IOException {
    if (pieces != null) {
      pieces.flush();
    }
  }
}

package io.cordwood.cli.client;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.NodeAddress;
import io.cordwood.cli.question.PriceFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.records.RecordOutput;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node for records, and writes them as they come, the oldest first.
 *
 * <pre>
 *   GET /query ──► node ──► Answer ──► [RecordPrinter] ──► standard output
 *                              ├─────► trailers ──► GrepStatistics ──► standard error
 *                              └─────► pieces ──► ProgressLine ──► standard error
 * </pre>
 *
 * Records pass as the bytes that they are, unless standard output is a terminal.
 */
public final class NodeGrep {
  private final AskedNodes nodes;
  private final Mode mode;
  private final @Nullable ProgressLine progress;

  /**
   * How the node is asked.
   *
   * @param plan whether only for what would be read
   * @param stats whether statistics are printed; they are of a plan
   * @param quiet whether a record is enough, whatever else may be missing
   * @param prices of a plan
   */
  public record Mode(boolean plan, boolean stats, boolean quiet, PriceFlags prices) {}

  /**
   * @param progress shows how far the search has come; null: nobody does
   */
  public NodeGrep(AskedNodes nodes, Mode mode, @Nullable ProgressLine progress) {
    this.nodes = nodes;
    this.mode = mode;
    this.progress = progress;
  }

  /** Gets the body of an answer. */
  public interface Output {
    void print(InputStream body) throws IOException;
  }

  /** The exit code: 2 if records may be missing, else 0 if there are any, else 1. */
  public int run(QueryString parameters, Output output) throws IOException {
    String query = parameters.addIf(ApiParams.PROGRESS, progress != null).toString();
    try (Answer answer = nodes.ask("cordwood grep", (client, node) -> ask(client, node, query));
        InputStream body = body(answer)) {
      try (progress) {
        output.print(body);
      } catch (StandardOutput.ClosedException e) {
        return Programs.SUCCESS;
      }
      return exitCode(GrepStatistics.of(answer));
    }
  }

  /** A node of an older version gives it in one. */
  private InputStream body(Answer answer) {
    boolean pieces = AnswerPieces.TYPE.equals(answer.header("content-type"));
    return progress != null && pieces ? new AnswerPieces(answer.body(), progress) : answer.body();
  }

  private Answer ask(CliClient client, NodeAddress node, String query) throws IOException {
    return mode.plan()
        ? QueryString.askHead(client, node, ApiPaths.QUERY, query)
        : QueryString.ask(client, node, ApiPaths.QUERY, query);
  }

  private int exitCode(GrepStatistics statistics) {
    if (mode.stats() || mode.plan()) {
      statistics.priced(mode.prices()).print(System.err);
    }
    statistics.note("grep").ifPresent(System.err::println);
    statistics.contextNote("grep").ifPresent(System.err::println);
    return statistics.isPossiblyIncomplete() && !(mode.quiet() && statistics.found())
        ? Programs.ERROR
        : statistics.found() || mode.plan() ? Programs.SUCCESS : Programs.NONE;
  }

  /** Prints bodies as they are. */
  public static Output plain(OutputStream out) {
    return body -> {
      try (out) {
        body.transferTo(out);
      }
    };
  }

  /** Prints records out of an answer in JSON. */
  public static Output records(RecordOutput output, RecordPrinter printer) {
    return body -> {
      try (printer) {
        output.printAll(body);
      }
    };
  }
}

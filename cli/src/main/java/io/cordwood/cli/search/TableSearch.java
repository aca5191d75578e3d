package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Asks a node for a table, such as of counts, and prints it.
 *
 * @param command without its program, such as {@code stats}
 * @param path of the node's API
 */
record TableSearch(String command, String path, AskedNodes nodes, NodeFlags flags) {
  /** Prints a table as the command shows it. */
  @FunctionalInterface
  interface Printer {
    void print(InputStream table, OutputStream out) throws IOException;
  }

  /** The exit code. */
  int run(QueryString query, Printer printer) throws IOException {
    flags.addTo(query);
    try (Answer answer = nodes.ask("cordwood " + command, path, query.toString());
        InputStream body = answer.body()) {
      if (!print(body, printer)) {
        return Programs.SUCCESS;
      }
      GrepStatistics statistics = GrepStatistics.of(answer);
      if (flags.stats()) {
        statistics.print(System.err);
      }
      sayIfCut(
          command,
          Long.parseLong(statistics.fields().getOrDefault("groups-cut", "0")),
          Double.parseDouble(statistics.fields().getOrDefault("distinct-error", "0")));
      return statistics.exitCode(command);
    }
  }

  /** Prints a table; false if nobody reads on. */
  static boolean print(InputStream table, Printer printer) throws IOException {
    try (OutputStream out = new StandardOutput().safe()) {
      printer.print(table, out);
      return true;
    } catch (StandardOutput.ClosedException e) {
      return false;
    }
  }

  /**
   * Says how many records are in no row, and which numbers are estimates.
   *
   * @param error that 95 of 100 numbers of different values do not exceed, as a share
   */
  static void sayIfCut(String command, long records, double error) {
    if (error > 0) {
      System.err.printf(
          "cordwood %s: numbers of different values are estimates; 95 of 100 are within %.1f %%%n",
          command, 100 * error);
    }
    if (records > 0) {
      System.err.printf(
          "cordwood %s: %d records have other values, more than there is room for%n",
          command, records);
    }
  }
}

package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.NodeTail;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.cli.records.RecordForm;
import io.cordwood.cli.records.RecordOutput;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.fields.Extract;
import java.io.IOException;

/**
 * Prints records as they are received, until Ctrl-C or until nobody reads.
 *
 * @param command whose words on standard error are
 * @param extract fields that are groups of regular expressions
 */
record Following(
    String command, AskedNodes nodes, RecordForm form, ZoneFlag zone, Extract extract) {
  /**
   * The exit code.
   *
   * @param query which records
   * @param begin what is printed first
   * @param printer closed at the end
   */
  int run(QueryString query, NodeTail.Begin begin, RecordPrinter printer)
      throws IOException, InterruptedException {
    CtrlC.endsWith(Programs.SUCCESS);
    OutputReader.whenGone(() -> Runtime.getRuntime().halt(Programs.SUCCESS));
    try (printer) {
      var output = new RecordOutput(command, printer, form, zone, extract);
      new NodeTail(command, nodes, query.toString(), begin, output).run();
    } catch (StandardOutput.ClosedException e) {
      // The reader has enough.
    }
    return Programs.SUCCESS;
  }
}

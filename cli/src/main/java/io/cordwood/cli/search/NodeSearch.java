package io.cordwood.cli.search;

import io.cordwood.cli.client.NodeGrep;
import io.cordwood.cli.client.ProgressLine;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.records.RecordOutput;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.io.OutputStream;

/** A grep without a FILE: a node searches. */
final class NodeSearch {
  private final GrepFlags flags;
  private final PatternSpec pattern;

  /** Whether the node's bytes do not pass as they are, but records are shown in another way. */
  private final boolean shownHere;

  NodeSearch(GrepFlags flags, PatternSpec pattern) {
    this.flags = flags;
    this.pattern = pattern;
    this.shownHere = flags.printRecords() && flags.style.areOwn(flags.patterns);
  }

  /** The exit code. */
  int run() throws IOException {
    if (flags.bound.areNone()) {
      return Programs.NONE;
    }
    if (!flags.form.dryRun) {
      flags.prices.refuse();
    }
    var mode =
        new NodeGrep.Mode(flags.form.dryRun, flags.ofNodes.stats(), flags.quiet, flags.prices);
    StandardOutput out = flags.printRecords() ? flags.pager.output() : new StandardOutput();
    ProgressLine line = flags.form.dryRun ? null : flags.progress.line(out);
    try {
      int exitCode = new NodeGrep(flags.nodes, mode, line).run(query(), output(out));
      if (StandardOutput.isErrorTerminal()) {
        sayIfInputIsUnread();
      }
      return exitCode;
    } catch (IOException e) {
      sayIfInputIsUnread();
      throw e;
    }
  }

  private void sayIfInputIsUnread() {
    if (!flags.nodes.areGiven()) {
      StandardInput.sayIfUnread(GrepFlags.NAME);
    }
  }

  private NodeGrep.Output output(StandardOutput out) {
    if (flags.quiet) {
      return body -> body.transferTo(OutputStream.nullOutputStream());
    } else if (!shownHere) {
      return NodeGrep.plain(flags.style.output(out));
    }
    RecordPrinter printer = flags.printer(pattern, out);
    var records =
        new RecordOutput(
            GrepFlags.NAME, printer, flags.form, flags.ofNodes.zone(), flags.patterns.extract());
    return NodeGrep.records(records, printer);
  }

  private QueryString query() {
    var query = new QueryString();
    flags.patterns.addTo(query, pattern);
    query
        .addIf(ApiParams.ONLY_MATCHING, flags.onlyMatching && !shownHere)
        .addIf(ApiParams.COUNT, flags.form.count)
        .addIfThere(ApiParams.FORMAT, shownHere ? "json" : flags.form.format());
    flags.ofNodes.addTo(query);
    if (flags.quiet) {
      return query.add(ApiParams.LIMIT, "1");
    }
    flags.bound.addTo(query);
    if (!flags.onlyMatching) {
      flags.context.addTo(query);
    }
    return query;
  }
}

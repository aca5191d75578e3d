package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.ProgressFlag;
import io.cordwood.cli.files.FileFlags;
import io.cordwood.cli.question.BoundFlags;
import io.cordwood.cli.question.ContextFlags;
import io.cordwood.cli.question.NodeFlags;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.records.RecordForm;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.records.StyleFlags;
import io.cordwood.cli.terminal.PagerFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of grep: what is looked for, where, and how it is shown. */
final class GrepFlags {
  @Mixin PatternFlags patterns = new PatternFlags();
  @Mixin BoundFlags bound = new BoundFlags();
  @Mixin AskedNodes nodes = new AskedNodes();
  @Mixin NodeFlags ofNodes = new NodeFlags();
  @Mixin FileFlags ofFiles = new FileFlags();

  @Option(
      names = {"-o", "--only-matching"},
      description = "Only what matches, each on a line: the longest match at the leftmost place.")
  boolean onlyMatching;

  @Option(
      names = {"-q", "--quiet", "--silent"},
      description = "Nothing is printed: the exit code says whether there is a match.")
  boolean quiet;

  @Option(
      names = "--follow",
      description = "Go on with records as they are received, until Ctrl-C.")
  boolean follow;

  @Mixin ContextFlags context = new ContextFlags();

  @Mixin final Form form = new Form();

  @Mixin StyleFlags style = new StyleFlags(form);
  @Mixin PagerFlag pager = new PagerFlag();
  @Mixin ProgressFlag progress = new ProgressFlag();
  @Mixin HabitFlags habits = new HabitFlags();

  /** The output for each record, or for all of them. */
  static final class Form extends RecordForm {
    @Option(
        names = {"-c", "--count"},
        description = "Only the number of records.")
    boolean count;

    @Option(names = "--dry-run", description = "Only statistics of what would be read.")
    boolean dryRun;
  }

  /** Whether something is asked for that a node alone can answer. */
  boolean askNode() {
    boolean ofRecords = form.format() != null || form.dryRun || bound.last() != null || follow;
    return ofRecords || nodes.areGiven() || ofNodes.areGiven();
  }

  /** Whether records are printed, and not only something about them. */
  boolean printRecords() {
    return !form.count && !form.dryRun && !quiet;
  }

  /** Standard output, for records. */
  RecordPrinter printer(PatternSpec pattern, StandardOutput out) {
    return style.printer(patterns, pattern, onlyMatching, out);
  }
}

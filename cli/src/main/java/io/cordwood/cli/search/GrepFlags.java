package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.ProgressFlag;
import io.cordwood.cli.files.FileFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.PriceFlags;
import io.cordwood.cli.records.RecordForm;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.records.StyleFlags;
import io.cordwood.cli.terminal.PagerFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import org.jspecify.annotations.Nullable;

/** The flags of grep: what is looked for, where, and how it is shown. */
final class GrepFlags implements Flags {
  static final String NAME = "cordwood grep";

  PatternFlags patterns = new PatternFlags();
  BoundFlags bound = new BoundFlags();
  AskedNodes nodes = new AskedNodes();
  NodeFlags ofNodes = new NodeFlags();
  final PriceFlags prices = new PriceFlags();
  FileFlags ofFiles = new FileFlags();
  boolean onlyMatching;
  boolean quiet;
  boolean follow;
  @Nullable String sort;
  ContextFlags context = new ContextFlags();
  final Form form = new Form();
  StyleFlags style = new StyleFlags(form);
  PagerFlag pager = new PagerFlag();
  ProgressFlag progress = new ProgressFlag();
  HabitFlags habits = new HabitFlags();

  @Override
  public void list(FlagList list) {
    list.addAll(patterns);
    list.addAll(bound);
    list.addAll(prices);
    list.addAll(nodes);
    list.addAll(ofNodes);
    list.addAll(ofFiles);
    list.flag("-o", "--only-matching")
        .help("Only what matches, each on a line: the longest match at the leftmost place.")
        .on(value -> onlyMatching = value);
    list.flag("-q", "--quiet", "--silent")
        .help("Nothing is printed: the exit code says whether there is a match.")
        .on(value -> quiet = value);
    list.flag("--follow")
        .help("Go on with records as they are received, until Ctrl-C.")
        .on(value -> follow = value);
    list.flag("--sort")
        .label("FIELD")
        .help(
            "With --fields: the order of lines, from the least value on, or the greatest: f:desc.")
        .value(String.class, sort, value -> sort = value);
    list.addAll(context);
    list.addAll(form);
    list.addAll(style);
    list.addAll(pager);
    list.addAll(progress);
    list.addAll(habits);
  }

  /** The output for each record, or for all of them. */
  static final class Form extends RecordForm {
    boolean count;

    boolean dryRun;

    @Override
    public void list(FlagList list) {
      super.list(list);
      list.flag("-c", "--count").help("Only the number of records.").on(value -> count = value);
      list.flag("--dry-run")
          .help("Only statistics of what would be read.")
          .on(value -> dryRun = value);
    }
  }

  /** Whether records are printed, and not only something about them. */
  boolean printRecords() {
    return !form.count && !form.dryRun && !quiet;
  }

  /** Standard output, for records. */
  RecordPrinter printer(PatternSpec pattern, StandardOutput out) {
    style.sortedBy(sort);
    return style.printer(patterns, pattern, onlyMatching, out);
  }
}

package io.cordwood.cli.search;

import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.files.FileGrep;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A grep of FILEs: this process searches. */
record FileSearch(GrepFlags flags, PatternSpec pattern, List<String> files) {
  /** The exit code. */
  int run(StandardOutput out) throws IOException {
    try (RecordPrinter printer = flags.printer(pattern, out)) {
      FileGrep.Outcome outcome =
          new FileGrep(flags.patterns.matcher(pattern), wanted(), printer)
              .run(files, flags.ofFiles.tree());
      if (flags.ofNodes.stats()) {
        statistics(outcome).print(System.err);
      }
      return outcome.exitCode();
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
  }

  private static GrepStatistics statistics(FileGrep.Outcome outcome) {
    return new GrepStatistics(
        new TreeMap<>(
            Map.of(
                "matches", Long.toString(outcome.matches()),
                "files", Long.toString(outcome.files()),
                "bytes-scanned", Long.toString(outcome.bytes()))));
  }

  private FileGrep.Wanted wanted() {
    boolean json = flags.form.isJson();
    return new FileGrep.Wanted(
        flags.patterns.takeOthers(),
        show(),
        flags.ofFiles.label(files, json),
        flags.ofFiles.areSilent(),
        flags.style.delimiter(),
        Objects.requireNonNullElse(flags.bound.first(), Long.MAX_VALUE),
        flags.onlyMatching
            ? FileGrep.Context.NONE
            : new FileGrep.Context(flags.context.before(), flags.context.after()),
        json && flags.onlyMatching ? PatternFlags.compiled(pattern, SubMatches::of) : null);
  }

  private FileGrep.Show show() {
    FileGrep.Show usual = flags.form.count ? FileGrep.Show.COUNT : FileGrep.Show.RECORDS;
    return flags.quiet ? FileGrep.Show.NOTHING : flags.ofFiles.show(usual);
  }
}

package io.cordwood.dist.search;

import io.cordwood.dist.files.FileGrep;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.records.RecordPrinter;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** What grep does with FILEs: this process searches. */
record FileSearch(GrepFlags flags, PatternSpec pattern, List<String> files) {
  /** The exit code. */
  int run() throws IOException {
    try (RecordPrinter printer = flags.printer(pattern, new StandardOutput())) {
      return new FileGrep(flags.patterns.matcher(pattern), wanted(), printer).run(files);
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
  }

  private FileGrep.Wanted wanted() {
    return new FileGrep.Wanted(
        flags.patterns.takeOthers(),
        show(),
        flags.ofFiles.isPrefixed(files.size()),
        flags.ofFiles.endNamesByNul(),
        flags.ofFiles.areSilent(),
        flags.style.delimiter(),
        Objects.requireNonNullElse(flags.bound.first(), Long.MAX_VALUE),
        flags.onlyMatching ? 0 : flags.context.before(),
        flags.onlyMatching ? 0 : flags.context.after());
  }

  private FileGrep.Show show() {
    FileGrep.Show usual = flags.form.count ? FileGrep.Show.COUNT : FileGrep.Show.RECORDS;
    return flags.quiet ? FileGrep.Show.NOTHING : flags.ofFiles.show(usual);
  }
}

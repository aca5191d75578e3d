package io.cordwood.cli.client;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import org.jspecify.annotations.Nullable;

/** Whether a terminal shows how far a search has come. */
public final class ProgressFlag implements Flags {
  boolean none;

  @Override
  public void list(FlagList list) {
    list.flag("--no-progress")
        .help(
            "No line on standard error that says how far a search has come. Otherwise there is one "
                + "on a terminal, after half a second, and it is erased.")
        .on(value -> none = value);
  }

  /** The line, beside what goes there; null: there is to be none. */
  public @Nullable ProgressLine line(StandardOutput out) {
    boolean shown =
        !none && StandardOutput.isErrorTerminal() && !"dumb".equals(System.getenv("TERM"));
    return shown
        ? new ProgressLine(System.err, ProgressLine.Beside.standardOutput(out.isPaged()))
        : null;
  }
}

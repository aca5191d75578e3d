package io.cordwood.cli.client;

import io.cordwood.cli.terminal.StandardOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a terminal shows how far a search has come. */
public final class ProgressFlag {
  @Option(
      names = "--no-progress",
      description =
          "No line on standard error that says how far a search has come. Otherwise there is one "
              + "on a terminal, after half a second, and it is erased.")
  boolean none;

  /** The line, beside what goes there; null: there is to be none. */
  public @Nullable ProgressLine line(StandardOutput out) {
    boolean shown =
        !none && StandardOutput.isErrorTerminal() && !"dumb".equals(System.getenv("TERM"));
    return shown
        ? new ProgressLine(System.err, ProgressLine.Beside.standardOutput(out.isPaged()))
        : null;
  }
}

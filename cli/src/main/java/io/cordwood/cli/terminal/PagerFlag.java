package io.cordwood.cli.terminal;

import picocli.CommandLine.Option;

/** Whether a terminal shows records a screen at a time. */
public final class PagerFlag {
  @Option(
      names = "--no-pager",
      description =
          "Records right to the terminal. Otherwise through $PAGER, or less: as much as is looked "
              + "at is searched.")
  boolean none;

  /** Standard output, through a pager if it is a terminal. */
  public StandardOutput output() {
    String command =
        none || !StandardOutput.isTerminal() ? null : Pager.command(System.getenv()::get);
    return command == null ? new StandardOutput() : new StandardOutput(new Pager(command));
  }
}

package io.cordwood.cli.terminal;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;

/** Whether a terminal shows records a screen at a time. */
public final class PagerFlag implements Flags {
  boolean none;

  @Override
  public void list(FlagList list) {
    list.flag("--no-pager")
        .help(
            "Records right to the terminal. Otherwise through $PAGER, or less: as much as is looked"
                + " at is searched.")
        .on(value -> none = value);
  }

  /** Standard output, through a pager if it is a terminal. */
  public StandardOutput output() {
    String command =
        none || !StandardOutput.isTerminal() ? null : Pager.command(System.getenv()::get);
    return command == null ? new StandardOutput() : new StandardOutput(new Pager(command));
  }
}

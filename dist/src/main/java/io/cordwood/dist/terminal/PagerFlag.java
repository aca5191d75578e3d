package io.cordwood.dist.terminal;

import io.cordwood.dist.program.QuickFlags;
import picocli.CommandLine.Option;

/** Whether a terminal shows records a screen at a time. */
public final class PagerFlag implements QuickFlags {
  @Option(
      names = "--no-pager",
      description =
          "Records right to the terminal. Otherwise through $PAGER, or less: as much as is looked "
              + "at is searched.")
  private boolean none;

  @Override
  public boolean take(String flag) {
    none |= flag.equals("--no-pager");
    return flag.equals("--no-pager");
  }

  /** Standard output, through a pager if it is a terminal. */
  public StandardOutput output() {
    String command =
        none || !StandardOutput.isTerminal() ? null : Pager.command(System.getenv()::get);
    return command == null ? new StandardOutput() : new StandardOutput(new Pager(command));
  }
}

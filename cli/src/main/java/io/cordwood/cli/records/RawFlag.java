package io.cordwood.cli.records;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.OutputStream;

/** Whether a terminal is kept safe from what is in records. */
public final class RawFlag implements Flags {
  boolean raw;

  @Override
  public void list(FlagList list) {
    list.flag("--raw")
        .help("Control characters as they are, also on a terminal, where they may do harm.")
        .on(value -> raw = value);
  }

  /** Standard output, for bytes from anywhere. */
  public OutputStream output(StandardOutput out) {
    return raw ? out : out.safe();
  }

  /** Standard output, for records. */
  RecordPrinter printer(RecordPrinter.Style style, StandardOutput out) {
    return new RecordPrinter(out, raw || !StandardOutput.isTerminal(), style);
  }
}

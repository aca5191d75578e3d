package io.cordwood.cli.records;

import io.cordwood.cli.terminal.StandardOutput;
import java.io.OutputStream;
import picocli.CommandLine.Option;

/** Whether a terminal is kept safe from what is in records. */
public final class RawFlag {
  @Option(
      names = "--raw",
      description = "Control characters as they are, also on a terminal, where they may do harm.")
  boolean raw;

  /** Standard output, for bytes from anywhere. */
  public OutputStream output(StandardOutput out) {
    return raw ? out : out.safe();
  }

  /** Standard output, for records. */
  RecordPrinter printer(RecordPrinter.Style style, StandardOutput out) {
    return new RecordPrinter(out, raw || !StandardOutput.isTerminal(), style);
  }
}

package io.cordwood.cli.question;

import io.cordwood.common.wire.Delimiter;
import picocli.CommandLine.Option;

/** The flag for the end of a record, in files that are read and in the output. */
public final class DelimiterFlag {
  @Option(
      names = {"-z", "--null-data"},
      description = "NUL after each record, which may hold LFs; in FILEs that are read, too.")
  boolean nul;

  /** Whether records may hold LFs. */
  public boolean isNul() {
    return nul;
  }

  /** The byte after each record. */
  public byte value() {
    return (nul ? Delimiter.NUL : Delimiter.LF).value();
  }
}

package io.cordwood.dist.question;

import io.cordwood.common.segment.Delimiter;
import io.cordwood.dist.program.QuickFlags;
import picocli.CommandLine.Option;

/** The flag for the end of a record, in files that are read and in the output. */
public final class DelimiterFlag implements QuickFlags {
  @Option(
      names = {"-z", "--null-data"},
      description = "NUL after each record, which may hold LFs; in FILEs that are read, too.")
  private boolean nul;

  @Override
  public boolean take(String flag) {
    boolean own = flag.equals("-z") || flag.equals("--null-data");
    nul |= own;
    return own;
  }

  /** Whether records may hold LFs. */
  public boolean isNul() {
    return nul;
  }

  /** The byte after each record. */
  public byte value() {
    return (nul ? Delimiter.NUL : Delimiter.LF).value();
  }
}

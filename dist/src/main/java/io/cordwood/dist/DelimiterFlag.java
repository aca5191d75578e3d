package io.cordwood.dist;

import io.cordwood.common.segment.Delimiter;
import picocli.CommandLine.Option;

/** What ends a record, in files that are read and in what is printed. */
final class DelimiterFlag implements QuickFlags {
  @Option(
      names = {"-z", "--null-data"},
      description = "NUL behind each record, which may hold LFs; in FILEs that are read, too.")
  private boolean nul;

  @Override
  public boolean take(String flag) {
    boolean own = flag.equals("-z") || flag.equals("--null-data");
    nul |= own;
    return own;
  }

  boolean isNul() {
    return nul;
  }

  byte value() {
    return (nul ? Delimiter.NUL : Delimiter.LF).value();
  }
}

package io.cordwood.cli.question;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.wire.Delimiter;

/** The flag for the end of a record, in files that are read and in the output. */
public final class DelimiterFlag implements Flags {
  boolean nul;

  @Override
  public void list(FlagList list) {
    list.flag("-z", "--null-data")
        .help("NUL after each record, which may hold LFs; in FILEs that are read, too.")
        .on(value -> nul = value);
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

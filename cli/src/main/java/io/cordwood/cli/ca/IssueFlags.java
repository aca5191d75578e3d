package io.cordwood.cli.ca;

import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.Issued;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A certificate that is made: by which authority, in which folder, for how long. */
final class IssueFlags implements Flags {
  private static final int MAX_DAYS = 3650;

  private final CaFlags flags = new CaFlags();
  private final String usualOut;
  private @Nullable Path out;
  private int days = 365;

  /**
   * @param usualOut the folder in words, if none is given
   */
  IssueFlags(String usualOut) {
    this.usualOut = usualOut;
  }

  @Override
  public void list(FlagList list) {
    list.addAll(flags);
    list.flag("--out")
        .label("DIR")
        .help("Folder to write to. Default: " + usualOut + ".")
        .value(Path.class, out, value -> out = value);
    list.flag("--days")
        .label("NUMBER")
        .help("How long the certificate is valid, 1 to 3650. Default: ${DEFAULT-VALUE}.")
        .value(int.class, days, value -> days = value);
  }

  /** Makes a certificate. */
  @FunctionalInterface
  interface Making {
    Issued by(Authority authority, Validity validity) throws IOException;
  }

  /** Writes it. */
  @FunctionalInterface
  interface Writing {
    void to(Path folder, Authority authority, Issued issued, boolean replace) throws IOException;
  }

  /**
   * Makes it, writes it, and says so; the exit code.
   *
   * @param what the folder's contents, in words
   * @param usual name of the folder
   */
  Integer issue(String what, String usual, Making making, Writing writing) throws IOException {
    FlagBounds.number("--days", 1, MAX_DAYS, days);
    Authority authority = flags.authority();
    CaFlags.write(() -> {
      Issued issued = making.by(authority, Validity.forDays(days));
      Path folder = out != null ? out : Path.of(usual);
      writing.to(folder, authority, issued, flags.force);
      System.out.printf(
          "%s: %s, until %s%n",
          folder.toAbsolutePath(), what, issued.certificate().getNotAfter().toInstant());
    });
    return Programs.SUCCESS;
  }
}

package io.cordwood.cli.ca;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import java.io.IOException;

/** {@code cordwood ca init}: a new authority. */
final class CaInitCommand implements Command {
  private static final int DAYS = 3650;

  private CaFlags flags = new CaFlags();

  private String name = "Cordwood authority";

  @Override
  public void list(FlagList list) {
    list.description("Make an authority: a key (EC P-256) and a certificate for ten years.");
    list.sorted();
    list.addAll(flags);
    list.flag("--name")
        .label("NAME")
        .help("Name of the authority. Default: ${DEFAULT-VALUE}.")
        .value(String.class, name, value -> name = value);
  }

  @Override
  public Integer call() throws IOException {
    CaFlags.write(() ->
        CertificateFolder.writeAuthority(
            flags.folder, Authority.create(name, Validity.forDays(DAYS)), flags.force));
    System.out.printf(
        "%s: ca.pem is for everybody, ca.key for nobody else%n", flags.folder.toAbsolutePath());
    return Programs.SUCCESS;
  }
}

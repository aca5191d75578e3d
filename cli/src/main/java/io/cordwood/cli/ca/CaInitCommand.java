package io.cordwood.cli.ca;

import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cordwood ca init}: a new authority. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Make an authority: a key (EC P-256) and a certificate for ten years.")
final class CaInitCommand implements Callable<Integer> {
  private static final int DAYS = 3650;

  @Mixin private CaFlags flags = new CaFlags();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the authority. Default: ${DEFAULT-VALUE}.")
  private String name = "Cordwood authority";

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

package io.cordwood.cli.ca;

import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Issued;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood ca client}: what somebody shows to nodes. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = "Make a client's certificate, in a folder: ca.pem, client.pem, client.key.")
final class CaClientCommand implements Callable<Integer> {
  @Mixin private CaFlags flags = new CaFlags();

  @Parameters(paramLabel = "NAME", description = "Who the client is.")
  private String name = "";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder to write to. Default: one that is called as the client.")
  private @Nullable Path out;

  @Option(
      names = "--days",
      paramLabel = "NUMBER",
      description = "How long the certificate is valid, 1 to 3650. Default: ${DEFAULT-VALUE}.")
  private int days = 365;

  @Override
  public Integer call() throws IOException {
    CaFlags.checkDays(days);
    Authority authority = flags.authority();
    CaFlags.write(() -> {
      Issued issued = authority.client(name, Validity.forDays(days));
      Path folder = out != null ? out : Path.of(name);
      CertificateFolder.writeClient(folder, authority, issued, flags.force);
      System.out.printf(
          "%s: a client's certificate, until %s%n",
          folder.toAbsolutePath(), issued.certificate().getNotAfter().toInstant());
    });
    return Programs.SUCCESS;
  }
}

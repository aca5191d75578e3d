package io.cordwood.cli.ca;

import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Issued;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood ca node}: what a node's {@code --tls-dir} has. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = {
      "Make the certificate of one node, in a folder for --tls-dir: ca.pem, node.pem, node.key.",
      "Give all names and addresses by which the node is reached: that of --advertise, and "
          + "localhost if it is asked there."
    })
final class CaNodeCommand implements Callable<Integer> {
  @Mixin private CaFlags flags = new CaFlags();

  @Parameters(
      arity = "1..*",
      paramLabel = "NAME",
      description = "Host names and addresses of the node.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder to write to. Default: one that is called as the first name.")
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
      Issued issued = authority.node(names, Validity.forDays(days));
      Path folder = out != null ? out : Path.of(names.getFirst().replaceAll("[:*]", "_"));
      CertificateFolder.writeNode(folder, authority, issued, flags.force);
      System.out.printf(
          "%s: a node's --tls-dir, until %s%n",
          folder.toAbsolutePath(), issued.certificate().getNotAfter().toInstant());
    });
    return Programs.SUCCESS;
  }
}

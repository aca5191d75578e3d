package io.cordwood.cli.ca;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Issued;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code cordwood ca node}: what a node's {@code --tls-dir} has. */
final class CaNodeCommand implements Command {
  private CaFlags flags = new CaFlags();

  private List<String> names = new ArrayList<>();

  private @Nullable Path out;

  private int days = 365;

  @Override
  public void list(FlagList list) {
    list.description(
        "Make the certificate of one node, in a folder for --tls-dir: ca.pem, node.pem, node.key.",
        "Give all names and addresses by which the node is reached: that of --advertise, and "
            + "localhost if it is asked there.");
    list.sorted();
    list.addAll(flags);
    list.argument("0..*", "1..*")
        .label("NAME")
        .help("Host names and addresses of the node.")
        .list(String.class, names, value -> names = value);
    list.flag("--out")
        .label("DIR")
        .help("Folder to write to. Default: one that is called as the first name.")
        .value(Path.class, out, value -> out = value);
    list.flag("--days")
        .label("NUMBER")
        .help("How long the certificate is valid, 1 to 3650. Default: ${DEFAULT-VALUE}.")
        .value(int.class, days, value -> days = value);
  }

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

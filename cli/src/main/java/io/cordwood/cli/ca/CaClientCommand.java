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
import org.jspecify.annotations.Nullable;

/** {@code cordwood ca client}: what somebody shows to nodes. */
final class CaClientCommand implements Command {
  private CaFlags flags = new CaFlags();

  private String name = "";

  private @Nullable Path out;

  private int days = 365;

  @Override
  public void list(FlagList list) {
    list.description("Make a client's certificate, in a folder: ca.pem, client.pem, client.key.");
    list.sorted();
    list.addAll(flags);
    list.argument("0", "1")
        .label("NAME")
        .help("Who the client is.")
        .value(String.class, name, value -> name = value);
    list.flag("--out")
        .label("DIR")
        .help("Folder to write to. Default: one that is called as the client.")
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

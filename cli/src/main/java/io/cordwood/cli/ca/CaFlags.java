package io.cordwood.cli.ca;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/** The authority's folder, and whether files are replaced. */
final class CaFlags implements Flags {
  Path folder = Path.of("ca");
  boolean force;

  @Override
  public void list(FlagList list) {
    list.flag("--dir")
        .label("DIR")
        .help("Folder of the authority: ca.pem and ca.key. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, folder, value -> folder = value);
    list.flag("--force")
        .help("Replace files that are there. Default: refuse to.")
        .on(value -> force = value);
  }

  Authority authority() throws IOException {
    return CertificateFolder.readAuthority(folder);
  }

  /** An action that makes and writes something. */
  @FunctionalInterface
  interface Writing {
    void run() throws IOException;
  }

  static void write(Writing writing) throws IOException {
    try {
      writing.run();
    } catch (FileAlreadyExistsException e) {
      throw new CommandException(e.getFile() + " is there already; --force replaces it", e);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}

package io.cordwood.cli.ca;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.ca.Authority;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The authority's folder, and whether files are replaced. */
final class CaFlags {
  private static final int MAX_DAYS = 3650;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Folder of the authority: ca.pem and ca.key. Default: ${DEFAULT-VALUE}.")
  Path folder = Path.of("ca");

  @Option(names = "--force", description = "Replace files that are there. Default: refuse to.")
  boolean force;

  Authority authority() throws IOException {
    return Authority.read(folder);
  }

  static void checkDays(int days) {
    if (days < 1 || days > MAX_DAYS) {
      throw new CommandException("--days: expected 1 to " + MAX_DAYS + ", found " + days);
    }
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

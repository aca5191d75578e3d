package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Files of secrets. */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private PrivateFile() {}

  /**
   * Checks that nobody but its owner and group may read a key, and nobody but its owner change it.
   *
   * @throws NoSuchFileException if it is not there
   * @throws IOException if others may; the message says what to do
   */
  public static void check(Path file) throws IOException {
    Set<PosixFilePermission> mode;
    try {
      mode = Files.getPosixFilePermissions(file);
    } catch (UnsupportedOperationException e) {
      return; // no such permissions here
    }
    if (mode.stream().anyMatch(OTHERS::contains)) {
      throw new IOException(
          file + ": expected a key that others cannot read; 'chmod 600 " + file + "' makes it so");
    }
  }
}

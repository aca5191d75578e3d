package io.cordwood.common.bucket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of keys by which objects are encrypted. */
public final class EncryptionKeyFiles {
  /** A key, and another one. */
  public static final String ONE = "0123456789abcdef".repeat(4);

  public static final String OTHER = "f".repeat(64);

  private EncryptionKeyFiles() {}

  /** Writes one that its owner alone may read. */
  public static Path write(Path file, String... keys) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, String.join("\n", keys) + "\n");
  }
}

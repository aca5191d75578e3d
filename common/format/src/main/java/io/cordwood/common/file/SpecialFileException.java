package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A pipe, a socket or a device stands where a file is expected: to read it might never end. */
public final class SpecialFileException extends IOException {
  private static final long serialVersionUID = 1;

  private SpecialFileException(Path file) {
    super(file + ": expected a file, found a pipe, a socket or a device");
  }

  /**
   * Refuses what is no file.
   *
   * @throws SpecialFileException if it might never end
   * @throws IOException if it is a folder, or is not there
   */
  public static void check(Path file) throws IOException {
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    if (found.isOther()) {
      throw new SpecialFileException(file);
    }
    if (found.isDirectory()) {
      throw new IOException(file + ": expected a file, found a folder");
    }
  }
}

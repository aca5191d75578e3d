package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.Path;

/** A pipe, a socket or a device stands where a file is expected: to read it might never end. */
public final class SpecialFileException extends IOException {
  private static final long serialVersionUID = 1;

  SpecialFileException(Path file) {
    super(file + ": expected a file, found a pipe, a socket or a device");
  }
}

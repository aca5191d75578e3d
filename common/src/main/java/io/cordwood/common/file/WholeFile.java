package io.cordwood.common.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Small text files that are replaced as a whole. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Puts a text into a file. Who reads it meanwhile, or after a crash of this process, finds the
   * old one or the new one; it is not forced, so a loss of power may take it.
   */
  public static void write(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, text, StandardCharsets.ISO_8859_1);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}

package io.cordwood.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Small text files that are replaced as a whole. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Puts a text into a file. Who reads it meanwhile, or after a crash of this process, finds the
   * old one or the new one; it is not forced, so a loss of power may take it.
   */
  public static void write(Path file, String text) throws IOException {
    Path draft = draft(file);
    Files.writeString(draft, text, StandardCharsets.ISO_8859_1);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Does what {@link #write} does, and forces file and name: a loss of power leaves the text. */
  public static void writeForced(Path file, String text) throws IOException {
    Path draft = draft(file);
    try (var channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }
}

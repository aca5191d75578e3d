package io.cordwood.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

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

  /**
   * Puts a text into a file as {@link #write} does, and forces file and name: a loss of power
   * leaves the text.
   */
  public static void writeForced(Filesystem disk, Path file, String text) throws IOException {
    Path draft = draft(file);
    disk.delete(draft);
    try (WritableFile target = disk.create(draft)) {
      ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(text);
      while (bytes.hasRemaining()) {
        target.write(bytes);
      }
      target.force();
    }
    disk.rename(draft, file);
    disk.forceFolder(folder(file));
  }

  /**
   * Reads a small file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static String read(Filesystem disk, Path file) throws IOException {
    try (ReadableFile source = disk.open(file)) {
      var bytes = ByteBuffer.allocate(Math.toIntExact(source.size()));
      source.read(bytes, 0);
      return StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
    }
  }

  private static Path folder(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent());
  }

  private static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }
}

package io.cordwood.common.file;

import io.cordwood.common.text.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are read whole, as those of keys and tokens. */
public final class SmallFile {
  private SmallFile() {}

  /**
   * Reads one; it may be a pipe.
   *
   * @param maxBytes a bound that no such file reaches
   * @throws java.nio.file.NoSuchFileException if it is not there
   * @throws IOException if it is a folder, larger than the bound or cannot be read; the message
   *     names it
   */
  public static byte[] read(Path file, int maxBytes) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": expected a file, found a folder");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new IOException(
            file + ": expected at most " + Sizes.format(maxBytes) + ", found more");
      }
      return bytes;
    }
  }

  /** Reads one as text whose characters are its bytes. */
  public static String readLatin1(Path file, int maxBytes) throws IOException {
    return new String(read(file, maxBytes), StandardCharsets.ISO_8859_1);
  }
}

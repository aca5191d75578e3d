package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The authorities of a file, which is read again when it has changed: they are replaced while
 * applications run. While it is absent or not legible, those that were read last are trusted. For
 * any thread.
 */
final class TrustFile implements Supplier<SSLContext> {
  private final Path file;
  private @Nullable Object version;
  private SSLContext context;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming the file, if it cannot be used
   */
  TrustFile(Path file) {
    this.file = file;
    version = version();
    context = Trust.in(file);
  }

  @Override
  public synchronized SSLContext get() {
    Object now = version();
    if (now != null && !now.equals(version)) {
      try {
        context = Trust.in(file);
        version = now;
      } catch (IllegalArgumentException e) {
        // Half of it may be written, or others may read it yet: the next connection tries again.
      }
    }
    return context;
  }

  /** Another one than before if the file has changed; null while there is none. */
  private @Nullable Object version() {
    try {
      var now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return null;
    }
  }
}

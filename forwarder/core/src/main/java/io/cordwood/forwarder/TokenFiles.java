package io.cordwood.forwarder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;

/** Files that hold a token, and nothing else. */
final class TokenFiles {
  private static final int MAX_BYTES = 1024;

  private TokenFiles() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException naming it, if it cannot be read or is too long; what it holds
   *     is never shown
   */
  public static String read(String file) {
    byte[] bytes = new byte[MAX_BYTES];
    int count = 0;
    try (InputStream in = Files.newInputStream(Paths.get(file))) {
      for (int more = 0; more >= 0 && count < MAX_BYTES; count += Math.max(more, 0)) {
        more = in.read(bytes, count, MAX_BYTES - count);
      }
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(file + ": expected a file with a token, found none", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file + ": cannot read the token: " + SpoolLock.explain(e), e);
    }
    if (count == MAX_BYTES) {
      throw new IllegalArgumentException(file + ": expected a file with a token alone");
    }
    String token = new String(bytes, 0, count, StandardCharsets.ISO_8859_1).trim();
    if (token.isEmpty()) {
      throw new IllegalArgumentException(file + ": expected a token, found an empty file");
    }
    return token;
  }
}

package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Secret keys in a file: one, or, while they are changed, several.
 *
 * <pre>
 *   # lines that are empty or begin with a number sign are skipped
 *   5f0c…64 hex digits, or the 44 characters of base64 that 32 bytes make
 *   another one, {@link #MAX_KEYS} at most
 * </pre>
 */
public final class KeyLines {
  public static final int KEY_BYTES = 32;
  public static final int MAX_KEYS = 8;
  private static final int MAX_FILE_BYTES = 16 * 1024;
  private static final int HEX_CHARS = 2 * KEY_BYTES;
  private static final int BASE64_CHARS = 44;

  private KeyLines() {}

  /**
   * Reads a key file: {@link #KEY_BYTES} for each key, in the order of the lines.
   *
   * @throws IOException if it cannot be read or is no key file; the message names it, and the line,
   *     but never shows a key
   */
  public static List<byte[]> read(Path file) throws IOException {
    try {
      return parse(file, SmallFile.readLatin1(file, MAX_FILE_BYTES));
    } catch (NoSuchFileException e) {
      throw new IOException(
          file + ": no such file; one can be made with: openssl rand -hex 32 > " + file, e);
    }
  }

  private static List<byte[]> parse(Path file, String text) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      byte[] key = parse(file + " line " + number, stripped);
      if (keys.stream().anyMatch(other -> Arrays.equals(other, key))) {
        throw new IOException(file + " line " + number + ": this key is there already");
      }
      keys.add(key);
    }
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IOException(
          file + ": expected 1 to " + MAX_KEYS + " keys, a line each, found " + keys.size());
    }
    return keys;
  }

  private static byte[] parse(String where, String key) throws IOException {
    try {
      byte[] bytes =
          switch (key.length()) {
            case HEX_CHARS -> HexFormat.of().parseHex(key);
            case BASE64_CHARS -> Base64.getDecoder().decode(key);
            default -> throw new IllegalArgumentException();
          };
      if (bytes.length != KEY_BYTES) {
        throw new IllegalArgumentException();
      }
      return bytes;
    } catch (IllegalArgumentException _) { // its message could show the key
      throw new IOException(
          "%s: expected a key of %d hex digits or %d characters of base64, found %d characters%s"
              .formatted(
                  where,
                  HEX_CHARS,
                  BASE64_CHARS,
                  key.length(),
                  key.length() == HEX_CHARS || key.length() == BASE64_CHARS
                      ? " that are neither"
                      : ""));
    }
  }
}

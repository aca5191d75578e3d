package io.cordwood.common.bucket;

import io.cordwood.common.file.KeyLines;
import io.cordwood.common.file.PrivateFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The keys of a place, from a file, see {@link KeyLines}: the first encrypts, all decrypt. So a key
 * is changed in two rounds of restarts: the new line is added below the old one on node after node,
 * then moved above it; the old line stays for as long as objects by it do. Immutable.
 */
final class EncryptionKeys {
  private final Path file;
  private final List<EncryptionKey> keys;

  private EncryptionKeys(Path file, List<EncryptionKey> keys) {
    this.file = file;
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads a key file.
   *
   * @throws IOException if it cannot be read, is no key file, or others than its owner and group
   *     may read it; the message names it, and never shows a key
   */
  static EncryptionKeys read(Path file) throws IOException {
    List<EncryptionKey> keys = KeyLines.read(file).stream().map(EncryptionKey::new).toList();
    try {
      PrivateFile.check(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": went while it was read", e);
    }
    return new EncryptionKeys(file, keys);
  }

  /** The key that encrypts. */
  EncryptionKey first() {
    return keys.getFirst();
  }

  /**
   * The key of an id, or of one of which a byte is another one: a damaged one must not stop all.
   */
  Optional<EncryptionKey> nearest(byte[] id) {
    return keys.stream()
        .filter(key -> EncryptedFrames.differInOneAtMost(HexFormat.of().parseHex(key.id()), id))
        .findFirst();
  }

  /** The file, and the ids of the keys in it. */
  @Override
  public String toString() {
    return file + ", which has " + keys;
  }
}

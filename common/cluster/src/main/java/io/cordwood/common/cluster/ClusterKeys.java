package io.cordwood.common.cluster;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.file.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a node, from its key file: none, one, or, while they are changed, several.
 *
 * <pre>
 *   # lines that are empty or begin with a number sign are skipped
 *   5f0c…64 hex digits, or the 44 characters of base64 that 32 bytes make
 *   another one, {@link #MAX_KEYS} at most
 * </pre>
 *
 * <p>Two nodes use the first key of the caller that the other one has, too. So a key is changed
 * without a gap in two rounds of restarts: first the new line is added above the old one on node
 * after node, then the old line is taken away. Immutable.
 */
public final class ClusterKeys {
  /** A node without a key: it talks to others without one only. */
  public static final ClusterKeys NONE = new ClusterKeys(List.of());

  public static final int MAX_KEYS = 8;
  private static final int MAX_FILE_BYTES = 16 * 1024;
  private static final int HEX_CHARS = 2 * ClusterKey.BYTES;
  private static final int BASE64_CHARS = 44;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterKeys.class);

  private final List<ClusterKey> keys;

  ClusterKeys(List<ClusterKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads a key file, and warns in the log if others than its owner may read it, too.
   *
   * @throws IOException if it cannot be read or is no key file; the message names it, and the line,
   *     but never shows a key
   */
  public static ClusterKeys read(Path file) throws IOException {
    try {
      List<ClusterKey> keys = parse(file, SmallFile.readLatin1(file, MAX_FILE_BYTES));
      warnIfOpen(file);
      return new ClusterKeys(keys);
    } catch (NoSuchFileException e) {
      throw new IOException(
          file + ": no such file; one can be made with: openssl rand -hex 32 > " + file, e);
    }
  }

  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Public ids of the keys, in the order of the file: 16 hex digits each. */
  public List<String> ids() {
    return keys.stream().map(ClusterKey::id).toList();
  }

  /** The keys that sign calls to the API of other nodes: those of the first key. */
  public NodeKeys forApi(InstantSource clock) {
    return new NodeKeys(keys.stream().map(ClusterKey::forApi).toList(), clock);
  }

  /** The first of these keys that somebody with the other ids has, too. */
  Optional<ClusterKey> sharedWith(List<String> ids) {
    return keys.stream().filter(key -> ids.contains(key.id())).findFirst();
  }

  private static List<ClusterKey> parse(Path file, String text) throws IOException {
    List<ClusterKey> keys = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      ClusterKey key = parse(file + " line " + number, stripped);
      if (keys.stream().anyMatch(other -> other.id().equals(key.id()))) {
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

  private static ClusterKey parse(String where, String key) throws IOException {
    try {
      return new ClusterKey(
          switch (key.length()) {
            case HEX_CHARS -> HexFormat.of().parseHex(key);
            case BASE64_CHARS -> Base64.getDecoder().decode(key);
            default -> throw new IllegalArgumentException();
          });
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

  private static void warnIfOpen(Path file) throws IOException {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.GROUP_READ)
          || permissions.contains(PosixFilePermission.OTHERS_READ)) {
        LOG.warn("{} can be read by others than its owner; better: chmod 600 {}", file, file);
      }
    } catch (UnsupportedOperationException e) {
      LOG.debug("{}: no permissions to look at on this filesystem", file, e);
    }
  }
}

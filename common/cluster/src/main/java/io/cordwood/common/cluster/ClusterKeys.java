package io.cordwood.common.cluster;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.file.KeyLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a node, from its key file, see {@link KeyLines}: none, one, or, while they are
 * changed, several.
 *
 * <p>Two nodes use the first key of the caller that the other one has, too. So a key is changed
 * without a gap in two rounds of restarts: first the new line is added above the old one on node
 * after node, then the old line is taken away. Immutable.
 */
public final class ClusterKeys {
  /** A node without a key: it talks to others without one only. */
  public static final ClusterKeys NONE = new ClusterKeys(List.of());

  public static final int MAX_KEYS = KeyLines.MAX_KEYS;
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
    List<ClusterKey> keys = KeyLines.read(file).stream().map(ClusterKey::new).toList();
    warnIfOpen(file);
    return new ClusterKeys(keys);
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

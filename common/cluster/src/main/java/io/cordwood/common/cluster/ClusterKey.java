package io.cordwood.common.cluster;

import io.cordwood.common.access.DerivedKeys;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * One secret of {@link #BYTES} bytes that the nodes of a cluster share, and its id, which may be
 * shown to anybody.
 *
 * <p>It never seals anything itself: each connection has a key of its own, derived from this one by
 * HKDF-SHA256. Immutable; any thread may use it.
 */
final class ClusterKey {
  static final int BYTES = 32;
  static final int ID_BYTES = 8;

  private final SecretKey secret;
  private final String id;

  /**
   * @throws IllegalArgumentException if there are not {@link #BYTES} bytes
   */
  ClusterKey(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "expected a key of " + BYTES + " bytes, found " + bytes.length);
    }
    secret = new SecretKeySpec(bytes, "Generic");
    id = HexFormat.of().formatHex(expand("cordwood gossip key id", new byte[0], ID_BYTES));
  }

  /** 16 hex digits, which say nothing about the secret. */
  String id() {
    return id;
  }

  /** The key of calls to the API of other nodes. */
  byte[] forApi() {
    return expand("cordwood api", new byte[0], BYTES);
  }

  /** The key of one connection: another context, another key. */
  SecretKey forConnection(byte[] context) {
    return new SecretKeySpec(expand("cordwood gossip connection", context, BYTES), "AES");
  }

  /** Its id: the secret must never reach a log. */
  @Override
  public String toString() {
    return id;
  }

  private byte[] expand(String purpose, byte[] context, int bytes) {
    return DerivedKeys.expand(secret, purpose, context, bytes);
  }
}

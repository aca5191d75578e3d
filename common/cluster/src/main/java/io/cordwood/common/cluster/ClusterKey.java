package io.cordwood.common.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
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
    try {
      HKDFParameterSpec.Builder extract = HKDFParameterSpec.ofExtract().addIKM(secret);
      byte[] label = (purpose + "\0").getBytes(StandardCharsets.US_ASCII);
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(extract.thenExpand(joined(label, context), bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HKDF-SHA256", e);
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}

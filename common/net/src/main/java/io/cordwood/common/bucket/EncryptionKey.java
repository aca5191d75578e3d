package io.cordwood.common.bucket;

import io.cordwood.common.access.DerivedKeys;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * One secret by which objects are encrypted, and its id, which may be shown to anybody. It never
 * encrypts anything itself: each object has a key that is derived from it. Immutable.
 */
final class EncryptionKey {
  static final int ID_BYTES = 8;
  static final int SALT_BYTES = 16;
  private static final int KEY_BYTES = 32;

  private final SecretKey secret;
  private final String id;

  EncryptionKey(byte[] bytes) {
    secret = new SecretKeySpec(bytes, "Generic");
    byte[] shown = DerivedKeys.expand(secret, "cordwood object key id", new byte[0], ID_BYTES);
    id = HexFormat.of().formatHex(shown);
  }

  /** 16 hexadecimal digits, which say nothing about the secret. */
  String id() {
    return id;
  }

  /** The salt of an object: the same for the same bytes of the same name, and for no others. */
  byte[] salt(String key, ObjectContent content) {
    byte[] context = (content.sha256Hex() + key).getBytes(StandardCharsets.US_ASCII);
    return DerivedKeys.expand(secret, "cordwood object salt", context, SALT_BYTES);
  }

  /**
   * The key of an object, for AES.
   *
   * @param salt of {@link #SALT_BYTES}
   */
  SecretKey forObject(String key, byte[] salt) {
    byte[] context = (HexFormat.of().formatHex(salt) + key).getBytes(StandardCharsets.US_ASCII);
    return new SecretKeySpec(
        DerivedKeys.expand(secret, "cordwood object", context, KEY_BYTES), "AES");
  }

  /** Its id: the secret must never reach a log. */
  @Override
  public String toString() {
    return id;
  }
}

package io.cordwood.common.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/** Keys that follow from another one, by HKDF-SHA256 of RFC 5869, without a salt. */
public final class DerivedKeys {
  private DerivedKeys() {}

  /**
   * A key for one purpose and context: another of either is another key, and none says anything of
   * the secret or of the others.
   *
   * @param purpose in ASCII
   */
  public static byte[] expand(SecretKey secret, String purpose, byte[] context, int bytes) {
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

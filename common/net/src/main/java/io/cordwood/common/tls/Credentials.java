package io.cordwood.common.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate with its key.
 *
 * @param chain its own certificate first, then those that sign it
 */
record Credentials(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] NONCE = "cordwood".getBytes(StandardCharsets.US_ASCII);

  /**
   * Reads them.
   *
   * @throws IOException naming the file, also if the two do not belong together, or the certificate
   *     is not valid now
   */
  static Credentials read(Path certificate, Path key) throws IOException {
    var read = new Credentials(PemFiles.certificates(certificate), PemFiles.key(key));
    if (!read.belongTogether()) {
      throw new IOException(key + ": expected the key of " + certificate + ", found another one");
    }
    read.checkValid(certificate);
    return read;
  }

  private boolean belongTogether() {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "EdDSA";
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(NONCE);
      byte[] signature = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(own().getPublicKey());
      checking.update(NONCE);
      return checking.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // keys of two algorithms, or of two sizes
    }
  }

  private void checkValid(Path file) throws IOException {
    try {
      own().checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(file + ": the certificate expired at " + expiry(), e);
    } catch (CertificateNotYetValidException e) {
      throw new IOException(
          file + ": the certificate is not valid before " + own().getNotBefore().toInstant(), e);
    }
  }

  private X509Certificate own() {
    return chain.getFirst();
  }

  Instant expiry() {
    return own().getNotAfter().toInstant();
  }

  X509Certificate[] chainArray() {
    return chain.toArray(X509Certificate[]::new);
  }
}

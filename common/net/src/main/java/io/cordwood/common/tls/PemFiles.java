package io.cordwood.common.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.common.file.PrivateFile;
import io.cordwood.common.file.SmallFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** Reads certificates and keys in PEM. What goes wrong is said with the file's name. */
final class PemFiles {
  static final int MAX_BYTES = 1 << 20;

  private static final String BEGIN_CERTIFICATE = "-----BEGIN CERTIFICATE-----";
  private static final String BEGIN_KEY = "-----BEGIN PRIVATE KEY-----";
  private static final String END_KEY = "-----END PRIVATE KEY-----";
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private PemFiles() {}

  /** All certificates of a file, at least one. */
  static List<X509Certificate> certificates(Path file) throws IOException {
    byte[] bytes = read(file);
    if (!new String(bytes, ISO_8859_1).contains(BEGIN_CERTIFICATE)) {
      throw new IOException(file + ": expected " + BEGIN_CERTIFICATE + ", found none");
    }
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(bytes))
          .stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (GeneralSecurityException e) {
      throw new IOException(file + ": expected certificates in PEM: " + e.getMessage(), e);
    }
  }

  /**
   * The key of a file.
   *
   * @throws IOException also if others than its owner and group may read it
   */
  static PrivateKey key(Path file) throws IOException {
    checkPrivate(file);
    String text = new String(read(file), ISO_8859_1);
    int begin = text.indexOf(BEGIN_KEY);
    int end = text.indexOf(END_KEY);
    if (begin < 0 || end < begin) {
      throw new IOException(
          file
              + ": expected "
              + BEGIN_KEY
              + " (PKCS#8), found another form; 'openssl pkcs8 -topk8 -nocrypt' makes one of it");
    }
    try {
      return key(Base64.getMimeDecoder().decode(text.substring(begin + BEGIN_KEY.length(), end)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + ": expected a key of EC, RSA or Ed25519, found none", e);
    }
  }

  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    GeneralSecurityException failure = new GeneralSecurityException("no such algorithm");
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (GeneralSecurityException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private static void checkPrivate(Path file) throws IOException {
    try {
      PrivateFile.check(file);
    } catch (NoSuchFileException e) {
      throw missing(file, e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try {
      return SmallFile.read(file, MAX_BYTES);
    } catch (NoSuchFileException e) {
      throw missing(file, e);
    }
  }

  private static IOException missing(Path file, NoSuchFileException e) {
    return new IOException("expected a file " + file + ", found none", e);
  }
}

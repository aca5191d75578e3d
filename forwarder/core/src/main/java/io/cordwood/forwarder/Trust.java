package io.cordwood.forwarder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Whom one trusts that connects with TLS. */
public final class Trust {
  private Trust() {}

  /**
   * The authorities of a file in PEM.
   *
   * @throws IllegalArgumentException naming the file, if it cannot be used
   */
  public static SSLContext in(Path authorities) {
    try (InputStream in = Files.newInputStream(authorities)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new CertificateException("none found");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate each : found) {
        store.setCertificateEntry(Integer.toString(store.size()), each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("expected certificates, found no " + authorities, e);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "expected certificates in PEM in " + authorities + ": " + e.getMessage(), e);
    }
  }

  /** Those that the JVM trusts. */
  static SSLContext usual() {
    try {
      return SSLContext.getDefault();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /** Says in words why a handshake fails, if it is known; else as the JDK does. */
  static IOException explained(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return new SSLException("the node's certificate has expired: " + cause.getMessage(), e);
      }
      if (cause instanceof CertificateNotYetValidException) {
        return new SSLException(
            "the node's certificate is not yet valid: " + cause.getMessage(), e);
      }
      if (isPlainText(cause)) {
        return new SSLException("it speaks plain text, and not TLS", e);
      }
    }
    return new SSLException("the TLS handshake fails: " + e.getMessage(), e);
  }

  /** The JDK says it in one way of sockets, and in another of engines. */
  private static boolean isPlainText(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("Unsupported or unrecognized SSL message")
        || message.startsWith("Unrecognized SSL message");
  }
}

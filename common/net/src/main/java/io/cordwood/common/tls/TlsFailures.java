package io.cordwood.common.tls;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in words why two sides could not agree. */
final class TlsFailures {
  private static final int MAX_CAUSES = 20;

  private TlsFailures() {}

  /** The failure in words for people, if it is of TLS; else as it is. */
  public static IOException explained(String host, IOException e) {
    String why = why(host, e);
    return why == null ? e : new SSLException(why, e);
  }

  private static @Nullable String why(String host, IOException e) {
    Throwable cause = e;
    boolean isTls = false;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      isTls |= cause instanceof SSLException;
      String why = why(host, cause);
      if (why != null) {
        return why;
      }
      cause = cause.getCause();
    }
    return isTls ? "the TLS handshake fails: " + e.getMessage() : null;
  }

  private static @Nullable String why(String host, Throwable cause) {
    return switch (cause) {
      case CertificateExpiredException expired ->
          "the certificate of " + host + " has expired (" + expired.getMessage() + ")";
      case CertificateNotYetValidException early ->
          "the certificate of " + host + " is not yet valid (" + early.getMessage() + ")";
      case CertPathBuilderException _ -> stranger(host);
      case CertPathValidatorException invalid when isOfStranger(invalid) -> stranger(host);
      default -> byMessage(host, String.valueOf(cause.getMessage()));
    };
  }

  private static boolean isOfStranger(CertPathValidatorException invalid) {
    return invalid.getReason() == BasicReason.INVALID_SIGNATURE
        || invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR;
  }

  private static String stranger(String host) {
    return "the certificate of " + host + " is of an authority that is not trusted here";
  }

  private static @Nullable String byMessage(String host, String message) {
    if (message.startsWith("Unsupported or unrecognized SSL message")
        || message.startsWith("Unrecognized SSL message")
        || message.startsWith("not an SSL/TLS record")) {
      return "it speaks plain text, and not TLS";
    }
    if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
      return "the certificate there is for other names than " + host + ": " + message;
    }
    if (message.startsWith("(certificate_required)")
        || message.toLowerCase(Locale.ROOT).endsWith("certificate_required")) {
      return "it wants a certificate, and was shown none";
    }
    if (message.contains("Received fatal alert: ")
        || message.matches("\\([a-z_]+\\) Received.*")
        || message.contains("_ALERT_")) { // as BoringSSL has it
      return "it refuses the connection: " + message;
    }
    return null;
  }
}

package io.cordwood.common.tls;

import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The certificate of a client, as far as it decides about access.
 *
 * @param tls whether the connection speaks TLS at all
 * @param verified whether it is a certificate of an authority that this node trusts
 * @param node whether that is one of a node, and not of a client alone
 */
public record PeerCertificate(boolean tls, boolean verified, boolean node) {
  static final PeerCertificate NONE = new PeerCertificate(true, false, false);

  /** The value for a connection in plain text. */
  public static final PeerCertificate PLAIN = new PeerCertificate(false, false, false);

  /** The extended key usage of servers, which nodes are; clients' certificates lack it. */
  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

  static PeerCertificate of(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      return new PeerCertificate(
          true, true, chain[0] instanceof X509Certificate own && isNode(own));
    } catch (SSLPeerUnverifiedException e) {
      return NONE;
    }
  }

  private static boolean isNode(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes != null && purposes.contains(SERVER_AUTH);
    } catch (CertificateParsingException e) {
      return false;
    }
  }
}

package io.cordwood.common.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How connections to others are secured: whom this side trusts, and who it says it is. The name or
 * address that is connected to must be among those of the other side's certificate. For all
 * threads.
 */
public final class ClientTls {
  /** For how long a session may be resumed, whose certificates are not looked at again then. */
  static final int SESSION_SECONDS = 600;

  private final SSLContext context;
  private final X509ExtendedTrustManager trust;
  private final @Nullable CurrentKey own;
  private final String[] protocols;

  /** Made once it is needed, since it reads all authorities of the JVM. */
  private static final class Usual {
    static final ClientTls TLS = make();

    private static ClientTls make() {
      try {
        return of(CurrentTrust.trusting(null), null);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * @param context of the JDK, with the same trust and key
   */
  ClientTls(
      SSLContext context,
      X509ExtendedTrustManager trust,
      @Nullable CurrentKey own,
      TlsVersion least) {
    this.context = context;
    this.trust = trust;
    this.own = own;
    this.protocols = least.protocols();
  }

  /** The authorities that the JVM trusts, and no certificate of one's own. */
  public static ClientTls usual() {
    return Usual.TLS;
  }

  /**
   * The authorities of a file.
   *
   * @throws IOException naming the file that is missing or cannot be read
   */
  public static ClientTls trusting(Path authorities) throws IOException {
    return of(new CurrentTrust(PemFiles.certificates(authorities)), null);
  }

  /**
   * The same, with a certificate of one's own.
   *
   * @param authorities empty for those that the JVM trusts
   * @throws IOException naming the file that is missing or cannot be read
   */
  public static ClientTls of(Optional<Path> authorities, Path certificate, Path key)
      throws IOException {
    var own = new CurrentKey(Credentials.read(certificate, key));
    try {
      return of(
          authorities.isPresent()
              ? new CurrentTrust(PemFiles.certificates(authorities.get()))
              : CurrentTrust.trusting(null),
          own);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClientTls of(X509ExtendedTrustManager trust, @Nullable CurrentKey own) {
    KeyManager[] keys = own == null ? new KeyManager[0] : new KeyManager[] {own};
    return new ClientTls(context(trust, keys), trust, own, TlsVersion.V1_2);
  }

  static SSLContext context(TrustManager trust, KeyManager... own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, new TrustManager[] {trust}, null);
      // A session that is resumed is not checked again.
      context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
      context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  public SSLContext context() {
    return context;
  }

  /** The versions, and that the other side's name is checked. */
  public SSLParameters parameters() {
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(protocols.clone());
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }

  X509ExtendedTrustManager trust() {
    return trust;
  }

  /** The key and the certificate that are shown; null for none. */
  @Nullable CurrentKey own() {
    return own;
  }

  String[] protocols() {
    return protocols.clone();
  }

  /**
   * Secures a connection that is made; waits for each answer as long as the socket's time-out says.
   *
   * @param host that was to be connected to
   * @throws IOException with a message for people; the connection is closed then
   */
  public SSLSocket secure(Socket connected, String host) throws IOException {
    SSLSocket socket = null;
    try {
      socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(connected, host, connected.getPort(), true);
      socket.setSSLParameters(parameters());
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      (socket == null ? connected : socket).close();
      throw TlsFailures.explained(host, e);
    }
  }
}

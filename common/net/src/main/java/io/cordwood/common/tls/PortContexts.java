package io.cordwood.common.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contexts of one port: BoringSSL's where netty-tcnative has it for this machine, since it
 * takes a fraction of the JDK's processor time, and the JDK's elsewhere, for keys that BoringSSL
 * does not sign with, and for ports that say something after a client has ended its half: Netty
 * ends both halves of BoringSSL then. {@code -Dio.netty.handler.ssl.noOpenSsl=true} forces the
 * JDK's.
 */
final class PortContexts {
  private static final Logger LOG = LoggerFactory.getLogger(PortContexts.class);
  static final Set<String> BORING_SSL_KEYS = Set.of("EC", "RSA");

  private final SSLContext context;
  private final CurrentKey key;
  private final ApplicationProtocolConfig protocols;
  private final String[] versions;
  private final @Nullable SslContext boringSsl;
  private @Nullable SslContext jdk;

  /**
   * @param context of the JDK, with the same key and trust
   * @param answersAfterTheEnd whether a client that has ended its half may wait for an answer
   */
  PortContexts(
      SSLContext context,
      CurrentKey key,
      CurrentTrust trust,
      String[] versions,
      ApplicationProtocolConfig protocols,
      boolean answersAfterTheEnd) {
    this.context = context;
    this.key = key;
    this.protocols = protocols;
    this.versions = versions.clone();
    this.boringSsl =
        !answersAfterTheEnd && OpenSsl.isAvailable()
            ? boringSsl(key, trust, versions, protocols)
            : null;
  }

  private static @Nullable SslContext boringSsl(
      CurrentKey key, CurrentTrust trust, String[] versions, ApplicationProtocolConfig protocols) {
    try {
      return SslContextBuilder.forServer(key)
          .sslProvider(SslProvider.OPENSSL)
          .trustManager(trust)
          .clientAuth(ClientAuth.OPTIONAL)
          .protocols(versions)
          .applicationProtocolConfig(protocols)
          .sessionTimeout(ClientTls.SESSION_SECONDS)
          .build();
    } catch (SSLException e) {
      LOG.warn("TLS is the JDK's, since BoringSSL refuses: {}", e.getMessage());
      return null;
    }
  }

  /** For a connection that is made now. */
  SslContext current() {
    return boringSsl != null && BORING_SSL_KEYS.contains(key.algorithm()) ? boringSsl : jdk();
  }

  /** Made when it is needed first, since the JDK's TLS takes a tenth of a second to load. */
  private synchronized SslContext jdk() {
    if (jdk == null) {
      jdk =
          new JdkSslContext(
              context,
              false,
              null,
              SupportedCipherSuiteFilter.INSTANCE,
              protocols,
              ClientAuth.OPTIONAL,
              versions,
              false);
    }
    return jdk;
  }

  SSLContext jdkContext() {
    return context;
  }
}

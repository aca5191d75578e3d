package io.cordwood.common.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ClientTls} for Netty's connections that are to speak HTTP/2: BoringSSL where
 * netty-tcnative has it for this machine, as on {@linkplain PortContexts ports}, and the JDK's TLS
 * elsewhere. For all threads.
 */
public final class Http2ClientTls {
  private static final Logger LOG = LoggerFactory.getLogger(Http2ClientTls.class);
  private static final ApplicationProtocolConfig HTTP_2_ONLY =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2);

  private final ClientTls tls;
  private final @Nullable SslContext boringSsl;
  private @Nullable SslContext jdk;

  public Http2ClientTls(ClientTls tls) {
    this.tls = tls;
    this.boringSsl = OpenSsl.isAvailable() ? boringSsl(tls) : null;
  }

  private static @Nullable SslContext boringSsl(ClientTls tls) {
    try {
      return SslContextBuilder.forClient()
          .sslProvider(SslProvider.OPENSSL)
          .keyManager(tls.own())
          .trustManager(tls.trust())
          .protocols(tls.protocols())
          .applicationProtocolConfig(HTTP_2_ONLY)
          .sessionTimeout(ClientTls.SESSION_SECONDS)
          .build();
    } catch (SSLException e) {
      LOG.warn("TLS to nodes is the JDK's, since BoringSSL refuses: {}", e.getMessage());
      return null;
    }
  }

  /** For a connection that is made now. */
  SslContext current() {
    CurrentKey own = tls.own();
    boolean signs = own == null || PortContexts.BORING_SSL_KEYS.contains(own.algorithm());
    return boringSsl != null && signs ? boringSsl : jdk();
  }

  private synchronized SslContext jdk() {
    if (jdk == null) {
      jdk =
          new JdkSslContext(
              tls.context(),
              true,
              null,
              SupportedCipherSuiteFilter.INSTANCE,
              HTTP_2_ONLY,
              ClientAuth.NONE,
              tls.protocols(),
              false);
    }
    return jdk;
  }

  /**
   * Secures a connection.
   *
   * @param host whose name or address the other side's certificate must have, without brackets
   */
  public SslHandler handler(ByteBufAllocator allocator, String host, int port) {
    SslHandler handler = current().newHandler(allocator, host, port);
    SSLParameters parameters = handler.engine().getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    handler.engine().setSSLParameters(parameters);
    return handler;
  }

  /** Why a handshake failed, with a message for people. */
  public static IOException explained(String host, Throwable why) {
    return TlsFailures.explained(
        host, why instanceof IOException e ? e : new SSLException(why.getMessage(), why));
  }
}

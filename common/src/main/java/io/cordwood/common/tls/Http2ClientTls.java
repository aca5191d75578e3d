package io.cordwood.common.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/** {@link ClientTls} for Netty's connections that are to speak HTTP/2. For all threads. */
public final class Http2ClientTls {
  private final SslContext context;

  public Http2ClientTls(ClientTls tls) {
    var http2Only =
        new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);
    this.context =
        new JdkSslContext(
            tls.context(),
            true,
            null,
            SupportedCipherSuiteFilter.INSTANCE,
            http2Only,
            ClientAuth.NONE,
            tls.protocols(),
            false);
  }

  /**
   * Secures a connection.
   *
   * @param host whose name or address the other side's certificate must have, without brackets
   */
  public SslHandler handler(ByteBufAllocator allocator, String host, int port) {
    SslHandler handler = context.newHandler(allocator, host, port);
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

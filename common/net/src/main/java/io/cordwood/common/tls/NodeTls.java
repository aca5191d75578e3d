package io.cordwood.common.tls;

import io.cordwood.common.file.WatchedFiles;
import io.cordwood.common.wire.AnswerLine;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * A node's TLS, of a folder whose files may be replaced while it runs. One key and one trust serve
 * all ports and all connections to other nodes; they change with the files. For all threads.
 */
public final class NodeTls implements AutoCloseable {
  private final TlsOptions options;
  private final MeterRegistry registry;
  private final SSLContext context;
  private final CurrentKey key;
  private final CurrentTrust trust;
  private final TlsReload reload;

  private NodeTls(TlsOptions options, MeterRegistry registry) throws IOException {
    var folder = new TlsFolder(options.folder());
    WatchedFiles files = folder.watched();
    TlsFolder.Contents contents = folder.read();
    this.key = new CurrentKey(contents.credentials());
    this.trust = new CurrentTrust(contents.authorities());
    this.options = options;
    this.registry = registry;
    this.context = ClientTls.context(trust, key);
    this.reload =
        new TlsReload(folder, files, contents.credentials().expiry(), key, trust, registry);
    reload.start(options.look());
  }

  /**
   * Reads the folder, and looks at it again and again until it is closed.
   *
   * @throws IOException naming the file that is missing or wrong
   */
  public static NodeTls open(TlsOptions options, MeterRegistry registry) throws IOException {
    return new NodeTls(options, registry);
  }

  /** How this node connects to others: with its own certificate. */
  public ClientTls client() {
    return new ClientTls(context, trust, key, options.least());
  }

  /**
   * TLS for a port of HTTP/1.1 and HTTP/2, whose clients may show a certificate.
   *
   * @param name of the port, for metrics and the log
   * @param plainAnswer to those who send plain text
   */
  public PortTls httpPort(String name, String plainAnswer) {
    return port(name, plainAnswer, alpn(), false);
  }

  /** For a port of lines, whose senders may end their half and wait for acknowledgements. */
  public PortTls linePort(String name) {
    return linePort(name, true);
  }

  /**
   * For a port of lines.
   *
   * @param answersAfterTheEnd whether a sender that has ended its half may wait for an answer
   */
  public PortTls linePort(String name, boolean answersAfterTheEnd) {
    return port(
        name,
        AnswerLine.error("this port speaks TLS, and what came is plain text: connect with TLS"),
        ApplicationProtocolConfig.DISABLED,
        answersAfterTheEnd);
  }

  /** For a port of lines whose connections are blocking sockets. */
  public SocketTls socketPort(String name) {
    return new SocketTls(linePort(name), options.least().protocols());
  }

  /**
   * For a connection from another node, which must show a node's certificate of the authority.
   *
   * @param refuse closes the connection of who has shown a client's
   * @return what its pipeline begins with
   */
  public List<ChannelHandler> fromPeer(Consumer<Channel> refuse) {
    SSLEngine engine = context.createSSLEngine();
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(options.least().protocols());
    parameters.setNeedClientAuth(true);
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters);
    SslHandler tls = bounded(engine);
    return List.of(tls, new NodesOnly(tls, refuse));
  }

  /** For a connection to another node, which must have a certificate for that name or address. */
  public SslHandler toPeer(String host, int port) {
    SSLEngine engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    engine.setSSLParameters(client().parameters());
    return bounded(engine);
  }

  private SslHandler bounded(SSLEngine engine) {
    var handler = new SslHandler(engine);
    handler.setHandshakeTimeout(options.handshake().toMillis(), TimeUnit.MILLISECONDS);
    return handler;
  }

  private PortTls port(
      String name,
      String plainAnswer,
      ApplicationProtocolConfig protocols,
      boolean answersAfterTheEnd) {
    var contexts =
        new PortContexts(
            context, key, trust, options.least().protocols(), protocols, answersAfterTheEnd);
    return new PortTls(
        name, contexts, plainAnswer, options.handshake(), new TlsMetrics(registry, name));
  }

  private static ApplicationProtocolConfig alpn() {
    return new ApplicationProtocolConfig(
        ApplicationProtocolConfig.Protocol.ALPN,
        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
        ApplicationProtocolNames.HTTP_2,
        ApplicationProtocolNames.HTTP_1_1);
  }

  @Override
  public void close() {
    reload.close();
  }
}

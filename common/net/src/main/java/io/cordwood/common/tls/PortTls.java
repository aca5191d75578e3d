package io.cordwood.common.tls;

import io.cordwood.common.run.RateLimitedLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.slf4j.LoggerFactory;

/**
 * TLS on one port. A client that sends plain text is told so in plain text; one whose handshake
 * fails, or takes too long, is closed. Each is counted. For all threads.
 */
public final class PortTls {
  static final AttributeKey<PeerCertificate> PEER =
      AttributeKey.valueOf(PortTls.class, "peer certificate");

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(PortTls.class));

  private final String name;
  private final PortContexts contexts;
  private final String plainAnswer;
  private final Duration handshake;
  private final TlsMetrics metrics;

  PortTls(
      String name,
      PortContexts contexts,
      String plainAnswer,
      Duration handshake,
      TlsMetrics metrics) {
    this.name = name;
    this.contexts = contexts;
    this.plainAnswer = plainAnswer;
    this.handshake = handshake;
    this.metrics = metrics;
  }

  /** Secures a connection; to be called before anything else is in its pipeline. */
  public void addTo(Channel channel) {
    SslHandler handler = context().newHandler(channel.alloc());
    handler.setHandshakeTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS);
    channel.pipeline().addLast(new PlaintextRejector(this), handler, new HandshakeMetrics(this));
  }

  /** The certificate of a connection's client. */
  public static PeerCertificate peer(Channel channel) {
    Channel connection = isStream(channel) ? channel.parent() : channel;
    PeerCertificate peer = connection.attr(PEER).get();
    return peer == null ? PeerCertificate.PLAIN : peer;
  }

  /** Whether it is one of several on a connection, whose own parent is the port's. */
  private static boolean isStream(Channel channel) {
    return channel.parent() != null && !(channel.parent() instanceof ServerChannel);
  }

  /** Ends this side's half of a connection, with TLS or without, after what was written. */
  public static void shutdownOutput(Channel channel) {
    SslHandler handler = channel.pipeline().get(SslHandler.class);
    if (handler != null) {
      // The client's TLS takes a connection that ends without this word for one that was cut.
      var _ = handler.closeOutbound().addListener(_ -> shutdownSocket(channel));
    } else {
      shutdownSocket(channel);
    }
  }

  static void shutdownSocket(Channel channel) {
    if (channel instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
    }
  }

  /** Closes a connection without the word by which TLS tells a whole answer from a cut one. */
  public static void closeAtOnce(Channel channel) {
    ChannelHandlerContext handler = channel.pipeline().context(SslHandler.class);
    var _ = handler != null ? handler.close() : channel.close();
  }

  String plainAnswer() {
    return plainAnswer;
  }

  Duration handshake() {
    return handshake;
  }

  /** For a connection that is made now. */
  SslContext context() {
    return contexts.current();
  }

  SSLContext jdkContext() {
    return contexts.jdkContext();
  }

  void succeeded() {
    metrics.done.increment();
  }

  void plain(Object address) {
    metrics.plain.increment();
    LOG.warn("TLS port " + name + ": refused", address, "it sends plain text");
  }

  void late(Object address) {
    metrics.late.increment();
    LOG.warn(
        "TLS port " + name + ": closed",
        address,
        "no end of its handshake in " + handshake.toMillis() + " ms");
  }

  void failed(Object address, Throwable why) {
    metrics.failed.increment();
    LOG.warn(
        "TLS port " + name + ": handshake fails with", address, String.valueOf(why.getMessage()));
  }
}

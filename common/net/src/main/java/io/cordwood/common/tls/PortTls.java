package io.cordwood.common.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ServerChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * TLS on one port. A client that sends plain text is told so in plain text; one whose handshake
 * fails, or takes too long, is closed. Each is counted. For all threads.
 */
public final class PortTls {
  private final HandshakeLog log;
  private final PortContexts contexts;
  private final String plainAnswer;
  private final Duration handshake;

  PortTls(
      String name,
      PortContexts contexts,
      String plainAnswer,
      Duration handshake,
      TlsMetrics metrics) {
    this.log = new HandshakeLog(name, handshake, metrics);
    this.contexts = contexts;
    this.plainAnswer = plainAnswer;
    this.handshake = handshake;
  }

  /** Secures a connection; to be called before anything else is in its pipeline. */
  public void addTo(Channel channel) {
    SslHandler handler = context().newHandler(channel.alloc());
    handler.setHandshakeTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS);
    channel
        .pipeline()
        .addLast(new PlaintextRejector(log, plainAnswer), handler, new HandshakeMetrics(log));
  }

  /** The certificate of a connection's client. */
  public static PeerCertificate peer(Channel channel) {
    Channel connection = isStream(channel) ? channel.parent() : channel;
    PeerCertificate peer = connection.attr(HandshakeMetrics.PEER).get();
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
      var _ = handler.closeOutbound().addListener(_ -> PlaintextRejector.shutdownSocket(channel));
    } else {
      PlaintextRejector.shutdownSocket(channel);
    }
  }

  /** Closes a connection without the word by which TLS tells a whole answer from a cut one. */
  public static void closeAtOnce(Channel channel) {
    ChannelHandlerContext handler = channel.pipeline().context(SslHandler.class);
    var _ = handler != null ? handler.close() : channel.close();
  }

  /** Takes how handshakes end that are not made by {@link #addTo}. */
  HandshakeLog log() {
    return log;
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
}

package io.cordwood.common.http.client;

import io.cordwood.common.net.EventLoops;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.common.tls.Http2ClientTls;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.IoEventLoopGroup;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a node to its peers, which all of its {@link PeerClient}s share: one to a
 * peer, and one for bulk bytes beside it; more only where a peer takes fewer calls on one than are
 * made. Safe for all threads.
 */
public final class PeerConnections implements AutoCloseable {
  private static final int LOOP_THREADS = 2;
  private static final int ATTEMPTS = 3;
  private static final Duration SLACK = Duration.ofSeconds(1);

  private final Optional<ClientTls> tls;
  private final PeerMetrics metrics;
  private final Map<Line, List<PeerConnection>> open = new HashMap<>();
  private final Map<Line, CompletableFuture<PeerConnection>> opening = new HashMap<>();
  private @Nullable Http2ClientTls http2Tls;
  private boolean closed;

  /** Loops that all connections of this process to peers share; their threads are daemons. */
  private static final class Loops {
    static final IoEventLoopGroup ALL = EventLoops.group(LOOP_THREADS, "peer-loop");

    private Loops() {}
  }

  /** A peer at an address, for one kind of calls. */
  private record Line(String scheme, String host, int port, boolean bulk) {
    static Line to(URI uri, boolean bulk) {
      return new Line(uri.getScheme(), uri.getHost(), uri.getPort(), bulk);
    }

    boolean isSecure() {
      return scheme.equals("https");
    }

    /** An IPv6 address stands in brackets in addresses, and in certificates without. */
    String bareHost() {
      return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
  }

  /**
   * @param tls for peers at {@code https}; empty for what the JVM trusts
   */
  public PeerConnections(Optional<ClientTls> tls, MeterRegistry registry) {
    this.tls = tls;
    this.metrics = new PeerMetrics(registry);
  }

  /**
   * A connection with a place for one more call, which is the caller's to make.
   *
   * @param timeout of connecting, and of a TLS handshake
   */
  PeerConnection reserve(URI uri, boolean bulk, Duration timeout) throws IOException {
    Line line = Line.to(uri, bulk);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      CompletableFuture<PeerConnection> coming;
      synchronized (this) {
        PeerConnection reserved = reserve(line);
        if (reserved != null) {
          return reserved;
        }
        coming = opening.get(line);
        if (coming == null) {
          coming = open(line, timeout);
        }
      }
      await(coming, timeout);
    }
    throw new IOException("connections end as soon as they are made");
  }

  private @Nullable PeerConnection reserve(Line line) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    List<PeerConnection> those = open.getOrDefault(line, List.of());
    return those.stream().filter(PeerConnection::reserve).findFirst().orElse(null);
  }

  private CompletableFuture<PeerConnection> open(Line line, Duration timeout) {
    var coming = new CompletableFuture<PeerConnection>();
    opening.put(line, coming);
    Thread.ofVirtual()
        .name("connect")
        .start(() -> {
          try {
            PeerConnection connection = connect(line, timeout);
            opened(line, connection);
            coming.complete(connection);
          } catch (IOException | RuntimeException e) {
            opened(line, null);
            coming.completeExceptionally(e);
          }
        });
    return coming;
  }

  private void opened(Line line, @Nullable PeerConnection connection) {
    synchronized (this) {
      opening.remove(line);
      if (connection == null) {
        return;
      }
      if (!closed) {
        open.computeIfAbsent(line, _ -> new ArrayList<>()).add(connection);
        connection.whenClosed(() -> forget(line, connection));
        return;
      }
    }
    connection.close();
  }

  private synchronized void forget(Line line, PeerConnection connection) {
    List<PeerConnection> those = open.get(line);
    if (those != null && those.remove(connection) && those.isEmpty()) {
      open.remove(line);
    }
  }

  private static void await(CompletableFuture<PeerConnection> coming, Duration timeout)
      throws IOException {
    try {
      coming.get(2 * timeout.plus(SLACK).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting");
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("connect timed out");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException why ? again(why) : new IOException(e.getCause());
    }
  }

  /** A failure for one of those that wait, with a stack of its own. */
  private static IOException again(IOException why) {
    IOException again =
        switch (why) {
          case SSLException _ -> new SSLException(why.getMessage());
          case UnknownHostException _ -> new UnknownHostException(why.getMessage());
          default -> new ConnectException(why.getMessage());
        };
    again.initCause(why);
    return again;
  }

  /** Connects to the first address of the host that can be reached. */
  private PeerConnection connect(Line line, Duration timeout) throws IOException {
    IOException failure = new UnknownHostException(line.host);
    for (InetAddress address : InetAddress.getAllByName(line.host)) {
      try {
        return connect(line, new InetSocketAddress(address, line.port), timeout);
      } catch (SSLException e) {
        throw e; // for every address, the certificate would be that one
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private PeerConnection connect(Line line, InetSocketAddress address, Duration timeout)
      throws IOException {
    ChannelFuture connected =
        new Bootstrap()
            .group(Loops.ALL)
            .channel(EventLoops.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
            .handler(new ChannelInboundHandlerAdapter())
            .connect(address)
            .awaitUninterruptibly();
    if (!connected.isSuccess()) {
      throw new ConnectException(why(connected.cause(), timeout));
    }
    Channel channel = connected.channel();
    if (line.isSecure()) {
      secure(line, channel, timeout);
    }
    var connection = new PeerConnection(channel, line.bulk, metrics);
    connection.start();
    return connection;
  }

  private static String why(Throwable cause, Duration timeout) {
    if (cause instanceof ConnectTimeoutException) {
      return "no connection within " + timeout.toMillis() + " ms";
    }
    // Netty adds the address, which the caller names as it was given.
    String message = String.valueOf(cause.getMessage());
    int address = message.lastIndexOf(": ");
    return address < 0 ? message : message.substring(0, address);
  }

  private void secure(Line line, Channel channel, Duration timeout) throws IOException {
    SslHandler handler = http2Tls().handler(channel.alloc(), line.bareHost(), line.port);
    handler.setHandshakeTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    channel.pipeline().addLast(handler);
    var handshake = handler.handshakeFuture().awaitUninterruptibly();
    if (!handshake.isSuccess()) {
      var _ = channel.close();
      throw Http2ClientTls.explained(line.bareHost(), handshake.cause());
    }
    if (!"h2".equals(handler.applicationProtocol())) {
      var _ = channel.close();
      throw new SSLException("expected HTTP/2 over TLS, found " + handler.applicationProtocol());
    }
  }

  /** Made when it is needed first: it takes a moment, and most clusters have none. */
  private synchronized Http2ClientTls http2Tls() {
    if (http2Tls == null) {
      http2Tls = new Http2ClientTls(tls.isPresent() ? tls.get() : ClientTls.usual());
    }
    return http2Tls;
  }

  /** Breaks off the calls that run; there can be no more. */
  @Override
  public void close() {
    List<PeerConnection> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      open.values().forEach(all::addAll);
      open.clear();
    }
    all.forEach(PeerConnection::close);
  }
}

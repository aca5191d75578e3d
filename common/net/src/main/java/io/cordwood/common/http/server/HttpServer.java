package io.cordwood.common.http.server;

import io.cordwood.common.net.AcceptFailures;
import io.cordwood.common.net.EventLoops;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server on one port, for HTTP/1.1 and for HTTP/2: in clear text by upgrade, or known
 * before; with TLS as its client chooses. Event loops move the bytes; each request is handled on a
 * virtual thread.
 */
public final class HttpServer implements AutoCloseable {
  private static final Duration AFTER_GRACE = Duration.ofSeconds(2);

  /** Compressors take up to a MiB each, outside the heap. */
  static final int MAX_COMPRESSED = 32;

  private final ServerContext server;
  private final HttpServerOptions options;
  private final Semaphore inFlight;
  private final Connections connections;
  private final IoEventLoopGroup loops;
  private final Channel listening;
  private final List<Channel> others = new CopyOnWriteArrayList<>();

  private HttpServer(ServerContext server, IoEventLoopGroup loops, Channel listening) {
    this.server = server;
    this.options = server.options();
    this.inFlight = server.requests().inFlight();
    this.connections = server.connections();
    this.loops = loops;
    this.listening = listening;
  }

  /**
   * Listens; when it returns, clients can connect.
   *
   * @throws IOException naming the address and port, if it cannot listen there
   */
  public static HttpServer start(HttpServerOptions options, Routes routes, MeterRegistry registry)
      throws IOException {
    AtomicInteger open = new AtomicInteger();
    int maxInFlight = options.counts().maxRequestsInFlight();
    var requests = new RequestPermits(maxInFlight);
    ServerContext server =
        new ServerContext(
            options,
            routes,
            new HttpMetrics(registry, open, requests.inFlight(), maxInFlight),
            new ResponseMemoryBudget(options.sizes().maxHeldBytes(), registry),
            requests,
            new Semaphore(MAX_COMPRESSED),
            new Connections(options.counts().maxConnections(), open),
            Thread.ofVirtual().name("http-", 0).factory());
    IoEventLoopGroup loops = EventLoops.group(options.loopThreads(), "http-loop");
    try {
      return new HttpServer(server, loops, listen(server, options.port(), loops));
    } catch (IOException | RuntimeException e) {
      shutDown(loops);
      throw e;
    }
  }

  private static Channel listen(ServerContext server, int port, IoEventLoopGroup loops)
      throws IOException {
    HttpServerOptions options = server.options();
    InetSocketAddress address = new InetSocketAddress(options.bind(), port);
    if (address.isUnresolved()) {
      throw new IOException("cannot listen on " + options.bind() + ": no such host");
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EventLoops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 1024)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .handler(new AcceptFailures())
            .childHandler(new Initializer(server))
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw cannotListen(options, port, bound.cause());
    }
    return bound.channel();
  }

  private static IOException cannotListen(HttpServerOptions options, int port, Throwable cause) {
    return new IOException(
        "cannot listen for HTTP on "
            + options.bind()
            + " port "
            + port
            + ": "
            + cause.getMessage()
            + "; is another process using this port? End it, or choose another port",
        cause);
  }

  /**
   * Listens on one more port, which answers other paths; all limits are those of the server.
   *
   * @param port 0 for any free one
   * @return the port
   * @throws IOException naming the address and port, if it cannot listen there
   */
  public int listenAlso(int port, Routes routes) throws IOException {
    Channel other = listen(server.withRoutes(routes), port, loops);
    others.add(other);
    return port(other);
  }

  /** The port it listens on. */
  public int port() {
    return port(listening);
  }

  private static int port(Channel listening) {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /**
   * Accepts no more, lets answers that run end within the grace, then closes what is left; handlers
   * still running see that the client is gone.
   */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    others.forEach(other -> other.close().awaitUninterruptibly());
    connections.drain();
    if (!awaitHandlers(options.timeouts().closeGrace())) {
      connections.closeAll();
      awaitHandlers(AFTER_GRACE);
    }
    connections.closeAll();
    shutDown(loops);
  }

  private boolean awaitHandlers(Duration longest) {
    try {
      int all = options.counts().maxRequestsInFlight();
      boolean ended = inFlight.tryAcquire(all, longest.toNanos(), TimeUnit.NANOSECONDS);
      if (ended) {
        inFlight.release(all);
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void shutDown(IoEventLoopGroup loops) {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static final class Initializer extends ChannelInitializer<Channel> {
    private final ServerContext server;

    Initializer(ServerContext server) {
      this.server = server;
    }

    @Override
    protected void initChannel(Channel channel) {
      server.options().tls().ifPresent(tls -> tls.addTo(channel));
      Connection connection = new Connection(server);
      channel.pipeline().addLast(connection, new ProtocolDetector(server, connection));
    }
  }
}

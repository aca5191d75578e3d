package io.cordwood.ingest;

import io.cordwood.common.net.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Listens for senders in fast mode, and spreads their connections over event loops, each of which
 * has a segment of its own.
 */
final class FastListener implements AutoCloseable {
  /** The most that is read from a socket at once. */
  private static final int RECEIVE_BYTES = 256 << 10;

  private static final int READS_IN_A_ROW = 4;
  private static final int BACKLOG = 1024;
  private static final long CLOSE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final IngestParts parts;
  private final IoEventLoopGroup loops;
  private final Map<EventExecutor, LoopWriter> writers = new HashMap<>();
  private final Set<FastConnection> connections = ConcurrentHashMap.newKeySet();
  private final Channel listening;

  private FastListener(IngestParts parts) throws IOException {
    this.parts = parts;
    this.loops = EventLoops.group(parts.options().listening().loops(), "ingest-loop");
    for (EventExecutor loop : loops) {
      writers.put(loop, new LoopWriter((EventLoop) loop, parts));
    }
    parts.metrics().registry.gauge("cordwood_ingest_connections", connections, Set::size);
    parts.metrics().registry.gauge("cordwood_ingest_held_bytes", parts.held(), HeldBytes::bytes);
    try {
      this.listening = listen();
    } catch (IOException | RuntimeException e) {
      shutDown();
      throw e;
    }
  }

  /**
   * Listens; when it returns, senders can connect.
   *
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  static FastListener start(IngestParts parts) throws IOException {
    return new FastListener(parts);
  }

  private Channel listen() throws IOException {
    var options = parts.options().listening();
    var address = new InetSocketAddress(options.bind(), options.fastPort());
    if (address.isUnresolved()) {
      throw new IOException("cannot listen on " + options.bind() + " (--bind): no such host");
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EventLoops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(RECEIVE_BYTES).maxMessagesPerRead(READS_IN_A_ROW))
            .childHandler(new Initializer())
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen on %s port %d for fast mode (--fast-port): %s"
              .formatted(options.bind(), options.fastPort(), bound.cause().getMessage()),
          bound.cause());
    }
    return bound.channel();
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  private void accept(Channel channel) {
    int max = parts.options().limits().maxConnections();
    if (connections.size() >= max) {
      parts.metrics().refusedConnections.increment();
      String line = "error: expected at most " + max + " connections, found more\n";
      var _ =
          channel
              .writeAndFlush(ByteBufUtil.writeAscii(channel.alloc(), line))
              .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    LoopWriter writer = Objects.requireNonNull(writers.get(channel.eventLoop()));
    var connection = new FastConnection(parts, writer, channel);
    connections.add(connection);
    channel.closeFuture().addListener(_ -> connections.remove(connection));
    channel.pipeline().addLast(connection);
  }

  /**
   * Accepts no more, reads what senders have sent so far, stores it and hands all to the flusher.
   */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.forEach(c -> c.inLoop(c::drain));
    awaitConnections(parts.options().limits().drain());
    connections.forEach(c -> c.inLoop(c::abandon));
    awaitConnections(Duration.ofSeconds(1));
    writers.forEach(FastListener::handOver);
    shutDown();
  }

  private void awaitConnections(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    while (!connections.isEmpty() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(CLOSE_POLL_NANOS);
    }
  }

  private static void handOver(EventExecutor loop, LoopWriter writer) {
    while (!loop.submit(writer::handOver).awaitUninterruptibly().getNow()) {
      LockSupport.parkNanos(CLOSE_POLL_NANOS);
    }
  }

  private void shutDown() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private final class Initializer extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      accept(channel);
    }
  }
}

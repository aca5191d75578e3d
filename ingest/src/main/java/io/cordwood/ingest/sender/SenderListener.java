package io.cordwood.ingest.sender;

import io.cordwood.common.net.AcceptFailures;
import io.cordwood.common.net.EventLoops;
import io.cordwood.common.tls.PortTls;
import io.cordwood.ingest.BacklogEnd;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.mode.Durability;
import io.cordwood.ingest.mode.LoopWriter;
import io.cordwood.ingest.mode.RequestWriter;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for senders on the port of one mode, and spreads their connections over event loops of
 * its own.
 */
public final class SenderListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SenderListener.class);
  private static final int BACKLOG = 1024;
  private static final long CLOSE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long ABANDON_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Intake intake;
  private final Durability durability;
  private final SenderPort senders;
  private final IoEventLoopGroup loops;
  private final Map<EventExecutor, LoopWriter> writers = new HashMap<>();
  private final Set<SenderConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<RequestWriter> requests = ConcurrentHashMap.newKeySet();
  private final Optional<PortTls> tls;
  private final Channel listening;
  private long drainEndNanos;
  private volatile boolean accepting;
  private volatile @Nullable BacklogEnd backlogEnd;
  private boolean stopped;

  private SenderListener(Intake intake, Durability durability, Hints hints, int port)
      throws IOException {
    this.intake = intake;
    this.durability = durability;
    this.senders = new SenderPort(intake, durability.mode(), hints);
    this.loops =
        EventLoops.group(
            intake.options().listening().loops(), "ingest-" + durability.mode().label());
    this.tls =
        intake
            .options()
            .listening()
            .tls()
            .map(node ->
                node.linePort(durability.mode().label(), durability.mode().acknowledgesLines()));
    for (EventExecutor loop : loops) {
      writers.put(loop, durability.writerFor((EventLoop) loop));
    }
    try {
      this.listening = listen(port);
    } catch (IOException | RuntimeException e) {
      shutDown();
      throw e;
    }
  }

  /**
   * Listens; when it returns, senders can connect, and are served from {@link #startAccepting} on.
   *
   * @param port 0 for any free one
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static SenderListener start(Intake intake, Durability durability, Hints hints, int port)
      throws IOException {
    return new SenderListener(intake, durability, hints, port);
  }

  private Channel listen(int port) throws IOException {
    var options = intake.options().listening();
    var address = new InetSocketAddress(options.bind(), port);
    if (address.isUnresolved()) {
      throw new IOException("cannot listen on " + options.bind() + " (--bind): no such host");
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EventLoops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReceiveSizes(intake.connections()))
            .handler(new AcceptFailures())
            .childHandler(new Initializer())
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen on %s port %d for %s mode (%s): %s"
              .formatted(
                  options.bind(),
                  port,
                  durability.mode().label(),
                  durability.mode().flag(),
                  bound.cause().getMessage()),
          bound.cause());
    }
    return bound.channel();
  }

  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  private void accept(Channel channel) {
    InetAddress address = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    intake
        .connections()
        .open(address)
        .ifPresentOrElse(why -> refuse(channel, why), () -> serve(channel, address));
  }

  private void refuse(Channel channel, String why) {
    intake.metrics().refusedConnections.increment();
    channel.pipeline().addLast(new FullNodeAnswer(senders, channel, why));
  }

  private void serve(Channel channel, InetAddress address) {
    LoopWriter writer = Objects.requireNonNull(writers.get(channel.eventLoop()));
    var connection = new SenderConnection(senders, writer, channel);
    connections.add(connection);
    channel
        .closeFuture()
        .addListener(_ -> {
          connections.remove(connection);
          intake.connections().closed(address);
        });
    channel.pipeline().addLast(connection);
    durability
        .trouble()
        .ifPresent(why -> {
          intake.metrics().refusedConnections.increment();
          connection.refuse(new RefusedException(RejectReason.DISK, why));
        });
  }

  /**
   * The way of a request over HTTP to the segments of this mode; to be closed by its thread.
   *
   * @throws RefusedException if nothing is taken now
   */
  public RequestWriter openRequest() throws RefusedException {
    Optional<String> refusal = intake.connections().refusal().or(durability::trouble);
    if (refusal.isPresent()) {
      throw new RefusedException(RejectReason.DISK, refusal.get());
    }
    var loop = (EventLoop) loops.next();
    var writer =
        new RequestWriter(loop, Objects.requireNonNull(writers.get(loop)), requests::remove);
    requests.add(writer);
    if (!accepting) {
      requests.remove(writer);
      throw new RefusedException(RejectReason.CLOSED, "the node is being started or closed");
    }
    return writer;
  }

  /** Serves who has connected, and who will. */
  public void startAccepting() {
    accepting = true;
    listening.config().setAutoRead(true);
  }

  /**
   * Accepts those who have connected and nobody else, and begins to end connections whose senders
   * fall silent. Requests are opened until this is closed: ports of other protocols store what has
   * come by them.
   */
  public void stopAccepting() {
    if (!stopped) {
      stopped = true;
      long drain = intake.options().limits().drain().toNanos();
      drainEndNanos = System.nanoTime() + drain;
      if (accepting) {
        acceptWhoHasConnected(drain);
      }
      listening.close().awaitUninterruptibly();
      loops.forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly()); // All are in the set.
      connections.forEach(c -> c.inLoop(c::drain));
    }
  }

  /** The kernel would reset those that it has accepted itself, and drop what they have sent. */
  private void acceptWhoHasConnected(long nanos) {
    var bound = new InetSocketAddress(intake.options().listening().bind(), port());
    try (BacklogEnd end = BacklogEnd.of(bound)) {
      backlogEnd = end;
      end.await(nanos);
    } catch (IOException e) {
      LOG.warn("who has connected to {} and is not accepted yet may be reset", bound, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Accepts no more, reads what senders have sent so far, stores it and hands all to the flusher.
   */
  @Override
  public void close() {
    stopAccepting();
    accepting = false;
    awaitConnections(drainEndNanos);
    connections.forEach(c -> c.inLoop(c::abandon));
    requests.forEach(RequestWriter::abandon);
    awaitConnections(System.nanoTime() + ABANDON_NANOS);
    durability.close();
    shutDown();
  }

  private void awaitConnections(long endNanos) {
    while (!(connections.isEmpty() && requests.isEmpty()) && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(CLOSE_POLL_NANOS);
    }
  }

  private void shutDown() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private final class Initializer extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      BacklogEnd end = backlogEnd;
      if (end != null && end.isAcceptedAs(channel.remoteAddress())) {
        var _ = channel.close();
        return;
      }
      tls.ifPresent(port -> port.addTo(channel));
      accept(channel);
    }
  }
}

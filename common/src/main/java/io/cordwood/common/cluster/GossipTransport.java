package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import io.scalecube.cluster.transport.api.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * Messages between nodes over TCP: one thread, a bound for everything, and a bind address.
 *
 * <p>A frame is an i32 length, at most {@link GossipCodec#MAX_FRAME_BYTES}, and what the codec
 * writes. Peers answer over connections of their own. It listens as soon as it is made. All
 * connections belong to its one event loop; the public methods may be called from any thread and
 * never block, but for {@link #bind}.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class GossipTransport implements Transport {
  static final int MAX_CONNECTIONS = 512;

  /** Messages that may wait for one listener; a cluster of hundreds sends some tens a second. */
  static final int MAX_WAITING = 256;

  static final int IDLE_SECONDS = 2 * PeerLinks.IDLE_SECONDS;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(GossipTransport.class));

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("cordwood-gossip", true), NioIoHandler.newFactory());
  private final EventLoop loop = group.next();
  private final ChannelGroup inbound = new DefaultChannelGroup(loop);
  private final Sinks.Many<Message> received = Sinks.many().multicast().directBestEffort();
  private final MessageCodec codec;
  private final GossipMetrics metrics;
  private final PeerLinks links;
  private final Channel server;

  private GossipTransport(HostPort bind, MessageCodec codec, GossipMetrics metrics)
      throws IOException {
    this.codec = codec;
    this.metrics = metrics;
    links = new PeerLinks(loop, metrics);
    server = listen(bind);
  }

  /**
   * @throws IOException if the address cannot be listened on; the message names it
   */
  static GossipTransport bind(HostPort bind, MessageCodec codec, GossipMetrics metrics)
      throws IOException {
    return new GossipTransport(bind, codec, metrics);
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public String address() {
    InetSocketAddress bound = (InetSocketAddress) server.localAddress();
    return new HostPort(bound.getAddress().getHostAddress(), bound.getPort()).toString();
  }

  @Override
  public Mono<Transport> start() {
    return Mono.just(this);
  }

  @Override
  public Flux<Message> listen() {
    return received
        .asFlux()
        .onBackpressureBuffer(
            MAX_WAITING,
            _ -> metrics.messagesDropped().increment(),
            BufferOverflowStrategy.DROP_LATEST);
  }

  @Override
  public Mono<Void> send(String address, Message message) {
    return Mono.create(done -> send(address, message, done));
  }

  @Override
  public Mono<Message> requestResponse(String address, Message request) {
    String id = Objects.requireNonNull(request.correlationId(), "correlation id");
    return Mono.create(done -> {
      Disposable answer =
          received
              .asFlux()
              .filter(message -> id.equals(message.correlationId()))
              .next()
              .subscribe(done::success, done::error, done::success);
      Disposable sent = send(address, request).subscribe(null, done::error);
      done.onDispose(Disposables.composite(sent, answer));
    });
  }

  /** Ends all connections and the loop; completes when that is done. */
  @Override
  public Mono<Void> stop() {
    return Mono.create(done -> {
      if (!group.isShuttingDown()) {
        loop.execute(this::closeAll);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      }
      group.terminationFuture().addListener(_ -> done.success());
    });
  }

  @Override
  public boolean isStopped() {
    return group.isTerminated();
  }

  private void closeAll() {
    received.tryEmitComplete();
    server.close();
    inbound.close();
    links.close();
  }

  private void send(String address, Message message, MonoSink<Void> done) {
    try {
      ByteBuffer frame = frame(message);
      loop.execute(() -> links.send(address, frame, done));
    } catch (RejectedExecutionException e) {
      done.error(e); // stopped
    } catch (Exception e) {
      metrics.sendsRefused().increment();
      LOG.warn("could not send gossip to", address, e);
      done.error(e);
    }
  }

  private ByteBuffer frame(Message message) throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    codec.serialize(message, body);
    return ByteBuffer.allocate(Integer.BYTES + body.size())
        .putInt(body.size())
        .put(body.toByteArray())
        .flip();
  }

  private Channel listen(HostPort bind) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(new Accept())
            .bind(bind.host(), bind.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IOException(
          "cannot listen for gossip on " + bind + ": " + bound.cause().getMessage(), bound.cause());
    }
    return bound.channel();
  }

  private final class Accept extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      if (inbound.size() >= MAX_CONNECTIONS) {
        metrics.connectionsRefused().increment();
        LOG.warn("refused a gossip connection from", channel.remoteAddress(), MAX_CONNECTIONS);
        channel.close();
        return;
      }
      inbound.add(channel);
      channel
          .pipeline()
          .addLast(
              new ReadTimeoutHandler(IDLE_SECONDS),
              new LengthFieldBasedFrameDecoder(
                  GossipCodec.MAX_FRAME_BYTES, 0, Integer.BYTES, 0, Integer.BYTES),
              new InboundFrames(codec, metrics, received::tryEmitNext));
    }
  }
}
